"""Responses to exceeded limits (429) and to password hashing overload (503), with Retry-After."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from arena.accounts import limits
from arena.accounts.admission import is_refused
from arena.accounts.hashing import HashingBusy
from arena.platform.refusal import LIMIT, Refused, refusal_json, with_browser_status, with_refusal_status


class RefusalMiddleware:
    """Middleware that shows an error page if a view raises HashingBusy, or Refused because of an exceeded limit.

    The middleware also sets the status of pages that report a limit or show an invalid form.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if is_refused(request):
            return _overload_page(request, HashingBusy())
        return with_browser_status(request, with_refusal_status(request, self._get_response(request)))

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Refused) and exception.code == LIMIT:
            return exception.add_retry_after(_refusal_page(request, "accounts/throttled.html", exception))
        if isinstance(exception, HashingBusy):
            limits.refund_login(request)
            return _overload_page(request, exception)
        return None


def lockout_response(request: HttpRequest, response: Any = None, credentials: Any = None) -> HttpResponse:
    """Return the response that django-axes sends after too many wrong passwords for one name from one network."""
    answer = render(request, "accounts/locked_out.html", status=429)
    answer["Retry-After"] = str(round(settings.AXES_COOLOFF_TIME * 3600))
    return answer


def _overload_page(request: HttpRequest, refusal: HashingBusy) -> HttpResponse:
    return refusal.add_retry_after(_refusal_page(request, "accounts/busy.html", refusal))


def _refusal_page(request: HttpRequest, template: str, refusal: Refused) -> HttpResponse:
    if request.accepts("application/json") and not request.accepts("text/html"):
        return refusal_json(refusal)
    context = {"reason": refusal.message, "seconds": refusal.retry_after, "form_page": _form_url(request)}
    return render(request, template, context, status=refusal.status)


def _form_url(request: HttpRequest) -> str:
    """Return the URL of the refused form, including the page to open next (``next``) if the request names one."""
    wanted = request.POST.get("next") or request.GET.get("next")
    return f"{request.path}?{urlencode({'next': wanted})}" if wanted else request.path
