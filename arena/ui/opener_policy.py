"""Omit the header Cross-Origin-Opener-Policy where browsers ignore it.

Browsers honour the header only from trustworthy origins: HTTPS and loopback addresses. On a page from any other
address, such as a teacher's computer in a classroom network, they ignore it and report an error in the console.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from arena.platform.reachability import Reach, classify_host

_HEADER = "Cross-Origin-Opener-Policy"


class OpenerPolicyMiddleware:
    """Middleware that removes the header added by ``SecurityMiddleware``; it therefore wraps that middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        # The raw header: get_host raises an exception for hosts that the site does not serve.
        host = request.headers.get("Host", "")
        if not request.is_secure() and classify_host(host) is not Reach.THIS_MACHINE:
            response.headers.pop(_HEADER, None)
        return response
