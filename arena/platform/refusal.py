"""Refuse requests: all services raise the same exception, and all pages show refusals in the same way.

    raise Refused(_("This bot is retired. Restore it before you upload a new version."), code="retired")  # a service
    raise Refused(_("That name has just been taken. Choose another."), code="taken", field="name")
    raise limit_reached(_("Too many people are waiting for a match right now."))          # see ``quota``
    raise NotFound                                                                        # a view answers 404

    except Refused as refusal:                                                            # a view
        show_refusal(request, refusal, form)              # next to its field, or above the form
        show_refusal(request, refusal)                    # as a message on the page it redirects to
        return refusal_json(refusal)                      # to a script

A refusal says what happened and what to do next, in the reader's language; nothing failed, and nothing was changed. A
temporary one has ``retry_after``: ``RefusalMiddleware`` then answers 429 with ``Retry-After``, whichever page shows it.
A page that shows an invalid form has the status 422 for programs and 200 for browsers.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final, TypeVar

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.utils.cache import patch_vary_headers

ResponseT = TypeVar("ResponseT", bound=HttpResponseBase)

LIMIT: Final = "limit"  # error code for an exceeded limit
_SHOWN: Final = "_refusal"  # attribute of the request


class Refused(Exception):  # noqa: N818 - the request is refused, nothing is broken
    """Raised if a service refuses a request.

    ``code``: identifies the refusal for callers, in forms, messages and responses; ``field``: the form field that it
    concerns; ``status``: the HTTP status of responses to scripts; ``retry_after``: seconds to wait, 0 if waiting does
    not help; ``facts``: further data for the page.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        field: str | None = None,
        status: int = HTTPStatus.CONFLICT,
        retry_after: int = 0,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message, self.code, self.field = str(message), code, field
        self.status, self.retry_after, self.facts = int(status), retry_after, dict(facts or {})

    def add_retry_after(self, response: ResponseT) -> ResponseT:
        """Add ``Retry-After`` to a response that shows this refusal."""
        if self.retry_after:
            response["Retry-After"] = str(self.retry_after)
        return response


class NotFound(Refused):
    """Raised if the object that a request refers to does not exist, or does not belong to the person."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message, code="not_found", status=HTTPStatus.NOT_FOUND)


def show_refusal(
    request: HttpRequest, refusal: Refused, form: BaseForm | None = None, *, field: str | None = None
) -> None:
    """Show a refusal in the form or, without a form, as a message.

    In a form, it appears next to the field that it concerns if the form has that field, otherwise next to ``field``.
    """
    text = refusal_text(request, refusal)
    if form is None:
        messages.error(request, text, extra_tags=refusal.code)
    else:
        error = ValidationError(text, code=refusal.code)
        form.add_error(refusal.field if refusal.field in form.fields else field, error)


def first_error(form: BaseForm) -> Refused:
    """Return the first error of an invalid form as a refusal, for pages that do not show the form."""
    error = next(iter(form.errors.as_data().values()))[0]
    return Refused(" ".join(error.messages), code=error.code or "")


def refusal_text(request: HttpRequest, refusal: Refused) -> str:
    """Return the message of the refusal, for pages that position it themselves."""
    setattr(request, _SHOWN, refusal)
    return refusal.message


def refusal_json(refusal: Refused, facts: Mapping[str, Any] | None = None) -> JsonResponse:
    """Return the refusal, with these facts about it, as a JSON response to a script."""
    body = {"error": refusal.message, "code": refusal.code, **(facts or {})}
    return refusal.add_retry_after(JsonResponse(body, status=refusal.status))


def with_refusal_status(request: HttpRequest, response: ResponseT) -> ResponseT:
    """Set the status and the Retry-After header of a page that reports an exceeded limit."""
    refusal: Refused | None = getattr(request, _SHOWN, None)
    if refusal is None or refusal.status != HTTPStatus.TOO_MANY_REQUESTS or 300 <= response.status_code < 400:
        return response
    response.status_code = refusal.status
    return refusal.add_retry_after(response)


def with_browser_status(request: HttpRequest, response: ResponseT) -> ResponseT:
    """Replace the status 422 with 200 in pages for browsers, which report each 4xx status as an error in their console.

    Programs do not ask for HTML and keep the status.
    """
    is_page = response.get("Content-Type", "").startswith("text/html")
    if is_page and response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY:
        patch_vary_headers(response, ["Accept"])
        if "text/html" in request.headers.get("Accept", ""):
            response.status_code = HTTPStatus.OK
    return response
