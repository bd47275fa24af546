"""The error page for outages of the upload store."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from arena.submissions.blobs import StoreUnavailable

logger = logging.getLogger(__name__)


class StoreUnavailableMiddleware:
    """Middleware that returns 503 if a view could not read an upload, and explains that nothing is lost."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, StoreUnavailable):
            return None
        logger.error("%s: %s", request.path, exception)
        answer = render(request, "submissions/store_unavailable.html", status=503)
        answer["Retry-After"] = "60"
        return answer
