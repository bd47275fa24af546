"""One exception for all requests that a service refuses, and one way to show it.

    raise Refused(_("This bot is retired. Restore it before you upload to it."))          # a service
    raise Refused(_("That name has just been taken. Choose another."), field="name")
    raise limit_reached(use, sentence, now=now)                                           # see ``quota``

    except Refused as refusal:                                                            # a view
        show(request, refusal, form)                      # at its field, or above the form
        show(request, refusal)                            # as a message on the page that it redirects to
        return as_json(refusal)                           # to a script

A refusal says what happened and what to do next, in the reader's language; nothing is broken, and nothing was changed.
One that passes by itself has ``retry_after``: ``RefusalMiddleware`` then answers 429 with ``Retry-After``, whichever
page shows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final, TypeVar

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponseBase, JsonResponse

ResponseT = TypeVar("ResponseT", bound=HttpResponseBase)

LIMIT: Final = "limit"  # the code of a limit that is used up
_SHOWN: Final = "_refusal"  # on the request


class Refused(Exception):  # noqa: N818 - the request is refused, nothing is broken
    """``code``: for those who must tell refusals apart; ``field``: of the form that was sent, where it is about one.

    ``status``: for answers to scripts; ``retry_after``: seconds, 0 where waiting does not help; ``facts``: what a page
    shows besides.
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

    def mark(self, response: ResponseT) -> ResponseT:
        """Add ``Retry-After`` to a response that tells of this."""
        if self.retry_after:
            response["Retry-After"] = str(self.retry_after)
        return response


def show(request: HttpRequest, refusal: Refused, form: BaseForm | None = None, *, field: str | None = None) -> None:
    """Show a refusal in the form, at its field if the form has it, else at ``field``; without a form as a message."""
    text = text_of(request, refusal)
    if form is None:
        messages.error(request, text)
    else:
        form.add_error(refusal.field if refusal.field in form.fields else field, text)


def text_of(request: HttpRequest, refusal: Refused) -> str:
    """The sentence, for a page that has a place of its own for it."""
    setattr(request, _SHOWN, refusal)
    return refusal.message


def as_json(refusal: Refused) -> JsonResponse:
    """The answer to a script."""
    return refusal.mark(JsonResponse({"error": refusal.message}, status=refusal.status))


def marked(request: HttpRequest, response: ResponseT) -> ResponseT:
    """The page that shows a refusal, with the status and the header of a limit where it is one."""
    refusal: Refused | None = getattr(request, _SHOWN, None)
    if refusal is None or refusal.status != HTTPStatus.TOO_MANY_REQUESTS or 300 <= response.status_code < 400:
        return response
    response.status_code = refusal.status
    return refusal.mark(response)
