"""Responses to the buttons on a room's page: a redirect, or JSON for a script.

A script that asks for JSON is not redirected, so that the page on a projector does not change.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect

from arena.games.golden_point.rooms.texts import translated_refusal
from arena.platform.refusal import Refused, refusal_json, show_refusal


@dataclass(frozen=True, slots=True)
class Change:
    """A change that has been made.

    ``text``: the message to show, or "" if the page shows the change anyway; ``closed``: the number of the round that
    was closed, or 0.
    """

    text: str = ""
    closed: int = 0


def change_and_respond(request: HttpRequest, address: str, change: Callable[[], Change]) -> HttpResponse:
    """Make a change, then redirect and show its message or the refusal; a script gets this text as JSON instead."""
    is_script = request.accepts("application/json") and not request.accepts("text/html")
    try:
        done = change()
    except Refused as refused:
        refusal = translated_refusal(refused)
        if is_script:
            return refusal_json(refusal)
        show_refusal(request, refusal)
    else:
        if is_script:
            return JsonResponse(asdict(done))
        if done.text:
            messages.success(request, done.text)
    return redirect(address)
