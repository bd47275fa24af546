"""The error page for addresses that accept only form submissions.

A browser opens such an address with GET when a person reloads the page, or returns to it after a sign-in that the form
required. Django's own response to that request is empty, which browsers show as a blank page.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render


class MethodNotAllowedMiddleware:
    """Middleware that adds a page to 405 responses for browsers; other clients receive the empty response."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        if not isinstance(response, HttpResponseNotAllowed) or request.method != "GET":
            return response
        if response.content or not request.accepts("text/html"):
            return response
        page = render(request, "405.html", status=HTTPStatus.METHOD_NOT_ALLOWED)
        page["Allow"] = response["Allow"]
        return page
