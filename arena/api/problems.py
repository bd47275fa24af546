"""API errors as problem details (RFC 9457): every error body has the same structure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.forms import BaseForm
from django.http import Http404, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from arena.platform.refusal import LIMIT, Refused

CONTENT_TYPE: Final = "application/problem+json"


class Code(StrEnum):
    """The codes of problems that any operation can return; refusals have separate codes."""

    BAD_REQUEST = "bad_request"
    UNAUTHORIZED = "unauthorized"
    INVALID_TOKEN = "invalid_token"  # noqa: S105 - not a secret
    FORBIDDEN = "forbidden"
    INSUFFICIENT_SCOPE = "insufficient_scope"
    CSRF_FAILED = "csrf_failed"
    NOT_FOUND = "not_found"
    UNKNOWN_ENDPOINT = "unknown_endpoint"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    TOO_LARGE = "too_large"
    INVALID_VALUES = "invalid_values"
    INVALID_IDEMPOTENCY_KEY = "invalid_idempotency_key"
    IDEMPOTENCY_KEY_REUSED = "idempotency_key_reused"
    REQUEST_IN_PROGRESS = "request_in_progress"
    LIMIT = LIMIT
    SERVER_ERROR = "server_error"
    BUSY = "busy"


# Default codes and texts for errors without more specific ones.
DEFAULTS: Final[Mapping[int, tuple[Code, Promise]]] = {
    400: (
        Code.BAD_REQUEST,
        gettext_lazy("The request body could not be read. Send JSON in UTF-8; send files as multipart/form-data."),
    ),
    401: (Code.UNAUTHORIZED, gettext_lazy("Sign in, or send a valid token: Authorization: Bearer arena_…")),
    403: (
        Code.FORBIDDEN,
        gettext_lazy("You do not have permission to do this. Use the token of an account that does."),
    ),
    404: (
        Code.NOT_FOUND,
        gettext_lazy("This resource does not exist, or you do not have access to it. Check the URL and your token."),
    ),
    405: (
        Code.METHOD_NOT_ALLOWED,
        gettext_lazy("This endpoint does not support this HTTP method. Use one of those in the Allow header."),
    ),
    413: (Code.TOO_LARGE, gettext_lazy("The request body is too large. Send a smaller file.")),
    422: (Code.INVALID_VALUES, gettext_lazy("Some values are invalid. Correct the fields listed in errors.")),
    429: (
        Code.LIMIT,
        gettext_lazy("You have sent too many requests. Wait for the number of seconds in the Retry-After header."),
    ),
    500: (
        Code.SERVER_ERROR,
        gettext_lazy("An arena failure stopped this request. Try again later."),
    ),
    503: (Code.BUSY, gettext_lazy("The arena is busy. Try again in a few seconds.")),
}


class ProblemError(Refused):
    """A refusal by the API itself; ``errors`` has an item for each invalid field (see ``field_error``)."""

    def __init__(
        self,
        status: int,
        detail: str = "",
        *,
        code: str = "",
        errors: Sequence[Mapping[str, str]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail, code=code, status=status)
        self.errors, self.headers = list(errors), dict(headers or {})


def problem_response(
    status: int,
    detail: str = "",
    *,
    code: str = "",
    errors: Sequence[Mapping[str, str]] = (),
    facts: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Return a response with problem details; ``facts`` contains additional machine-readable data."""
    default_code, default_detail = DEFAULTS.get(status, ("", ""))
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail or str(default_detail),
        "code": code or default_code,
        "errors": list(errors),
        "facts": dict(facts or {}),
    }
    content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
    return HttpResponse(content, status=status, content_type=CONTENT_TYPE, headers=dict(headers or {}))


def problem_of_exception(error: Exception) -> HttpResponse:
    """Return the problem response for an exception from an endpoint, a service or a view."""
    if isinstance(error, ProblemError):
        return problem_response(
            error.status, error.message, code=error.code, errors=error.errors, headers=error.headers
        )
    if isinstance(error, Refused):
        return problem_of_refusal(error)
    if isinstance(error, Http404):
        return problem_response(404)
    if isinstance(error, PermissionDenied):
        return problem_response(403)
    raise error


def problem_of_refusal(refusal: Refused) -> HttpResponse:
    errors = [field_error(refusal.field, refusal.code, refusal.message)] if refusal.field else []
    headers = {"Retry-After": str(refusal.retry_after)} if refusal.retry_after else {}
    # A refusal whose status is not listed in the document becomes a conflict.
    status = refusal.status if refusal.status in (403, 404, 409, 422, 429) else HTTPStatus.CONFLICT
    return problem_response(
        status, refusal.message, code=refusal.code, errors=errors, facts=refusal.facts, headers=headers
    )


def problem_of_forms(*forms: BaseForm) -> ProblemError:
    """Return a problem with the errors from these forms, which also validate the same values on the site's pages."""
    errors = [
        field_error("" if field == "__all__" else field, error.code or "invalid", message)
        for form in forms
        for field, found in form.errors.as_data().items()
        for error in found
        for message in error.messages
    ]
    return ProblemError(422, errors=errors)


def field_error(field: str, code: str, message: object) -> dict[str, str]:
    """Return an item of ``errors``; ``field`` is empty if the error concerns several fields."""
    return {"field": field, "code": code, "message": str(message)}
