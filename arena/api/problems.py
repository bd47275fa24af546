"""Errors of the API as problem details (RFC 9457): all errors have the same body."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.forms import BaseForm
from django.http import Http404, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.platform.refusal import Refused

CONTENT_TYPE: Final = "application/problem+json"

# Default texts for errors without a more specific one.
DETAILS: Final[Mapping[int, Promise]] = {
    400: gettext_lazy("The request could not be read."),
    401: gettext_lazy("Sign in, or send a valid token: Authorization: Bearer arena_…"),
    403: gettext_lazy("You do not have permission to do this."),
    404: gettext_lazy("This does not exist, or you do not have access to it."),
    405: gettext_lazy("This endpoint does not accept this HTTP method."),
    413: gettext_lazy("The request body is too large."),
    422: gettext_lazy("Some values are invalid."),
    500: gettext_lazy("The request failed because of an arena error. It is not your fault; try again later."),
    503: gettext_lazy("The arena is busy. Try again in a few seconds."),
}


class ProblemError(Exception):
    """An error response from an endpoint; ``errors`` has an item for each invalid field."""

    def __init__(
        self,
        status: int,
        detail: str = "",
        *,
        code: str = "",
        errors: Sequence[Mapping[str, str]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status, self.detail, self.code = status, detail, code
        self.errors, self.headers = list(errors), dict(headers or {})


def problem(
    status: int,
    detail: str = "",
    *,
    code: str = "",
    errors: Sequence[Mapping[str, str]] = (),
    facts: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Return the response; ``facts`` contains additional machine-readable data."""
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail or str(DETAILS.get(status, "")),
        "code": code,
        "errors": list(errors),
        "facts": dict(facts or {}),
    }
    content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
    return HttpResponse(content, status=status, content_type=CONTENT_TYPE, headers=dict(headers or {}))


def of_exception(error: Exception) -> HttpResponse:
    """Return the problem for an exception from an endpoint, a service or a view."""
    if isinstance(error, ProblemError):
        return problem(error.status, error.detail, code=error.code, errors=error.errors, headers=error.headers)
    if isinstance(error, Refused):
        return of_refusal(error)
    if isinstance(error, Http404):
        return problem(404)
    if isinstance(error, PermissionDenied):
        return problem(403)
    raise error


def of_refusal(refusal: Refused) -> HttpResponse:
    errors = [{"field": refusal.field, "message": refusal.message}] if refusal.field else []
    headers = {"Retry-After": str(refusal.retry_after)} if refusal.retry_after else {}
    # A refusal whose status is not listed in the document becomes a conflict.
    status = refusal.status if refusal.status in (403, 404, 409, 422, 429) else HTTPStatus.CONFLICT
    return problem(status, refusal.message, code=refusal.code, errors=errors, facts=refusal.facts, headers=headers)


def of_form(*forms: BaseForm) -> ProblemError:
    """Return a problem with the errors from these forms, which also validate the same values on the site's pages."""
    errors = [
        {"field": "" if field == "__all__" else field, "message": str(message)}
        for form in forms
        for field, messages in form.errors.items()
        for message in messages
    ]
    return ProblemError(422, _("Some values are invalid."), errors=errors)
