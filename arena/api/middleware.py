"""Common features of API responses: problem details for errors, an ETag, and a log line per use of a write scope."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers, set_response_etag
from django.utils.translation import gettext as _

from arena.accounts import tokens
from arena.api.authentication import SAFE, write_token_used
from arena.api.problems import CONTENT_TYPE, Code, problem_response

PREFIX: Final = "/api/v1/"
_PAGES: Final = (f"{PREFIX}docs",)
_KEPT_HEADERS: Final = ("Retry-After", "Allow", "WWW-Authenticate")


class ApiMiddleware:
    """Middleware that completes all responses under ``/api/v1/``, from operations, Django or other middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        if not request.path.startswith(PREFIX) or request.path.startswith(_PAGES):
            return response
        used = write_token_used(request)
        if used is not None and request.method not in SAFE:
            tokens.log_use(used, f"{request.method} {request.path}", response.status_code, now=timezone.now())
        if response.status_code >= 400:
            return _convert_to_problem(response)
        patch_vary_headers(response, ("Authorization", "Cookie", "Accept-Language"))
        if request.method not in SAFE or response.streaming:
            return response
        response.headers.setdefault("Cache-Control", "private, no-cache")
        etag = set_response_etag(response).get("ETag")  # no ETag for an empty body
        return get_conditional_response(request, etag=etag, response=response) or response


def _convert_to_problem(response: HttpResponse) -> HttpResponse:
    """Convert an error to a problem response."""
    if response.get("Content-Type", "").startswith(CONTENT_TYPE):
        return response
    headers = {name: response[name] for name in _KEPT_HEADERS if name in response}
    if response.status_code == 404:  # operations return problems
        text = _("This endpoint does not exist. See %(url)s for a list of all endpoints.")
        return problem_response(404, text % {"url": f"{PREFIX}docs"}, code=Code.UNKNOWN_ENDPOINT, headers=headers)
    return problem_response(response.status_code, headers=headers)
