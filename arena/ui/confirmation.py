"""Ask for confirmation before a submitted form is processed.

Put ``{% confirm %}`` in the form. With JavaScript, ``site/confirmation.js`` asks in a dialog and submits the form with
the answer. Without JavaScript, this middleware responds with a page that asks and resubmits the same data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme

QUESTION: Final = "_question"
CONFIRMED: Final = "_confirmed"
_FORM: Final = "application/x-www-form-urlencoded"  # forms with files need no confirmation


class ConfirmationMiddleware:
    """Middleware that asks for confirmation when a form that requires it is submitted unconfirmed."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Callable[..., Any], *_: Any) -> HttpResponse | None:
        """Return the confirmation page; None if the form needs no confirmation or has been confirmed.

        This is done after the CSRF check, which ensures that the form was submitted from one of the site's own pages.
        """
        if request.method != "POST" or request.content_type != _FORM or getattr(view, "csrf_exempt", False):
            return None
        question = request.POST.get(QUESTION)
        if not question or CONFIRMED in request.POST:
            return None
        return render(
            request,
            "components/confirm_page.html",
            {
                "question": question,
                "fields": _hidden_fields(request),
                "confirmed": CONFIRMED,
                "back": _back_url(request),
            },
        )


def _hidden_fields(request: HttpRequest) -> list[tuple[str, str]]:
    own = ("csrfmiddlewaretoken", CONFIRMED)
    return [(name, value) for name, values in request.POST.lists() if name not in own for value in values]


def _back_url(request: HttpRequest) -> str:
    """Return the URL of the page with the form if it belongs to this site, otherwise "/"."""
    address = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(address, {request.get_host()}):
        return "/"
    parts = urlsplit(address)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
