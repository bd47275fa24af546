"""Moderation by the owner of a room: its countdown, its rounds and its players.

Each action is a form on the room's page or its settings page. It redirects to a page, which also shows any refusal.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from arena.accounts.permissions import SignedInRequest
from arena.games.golden_point.rooms import owner_services
from arena.games.golden_point.rooms.forms import LengthForm, PlayerNameForm
from arena.games.golden_point.rooms.identity import read_guid
from arena.games.golden_point.rooms.views.access import run_or_403
from arena.games.golden_point.rooms.views.responses import Change, change_and_respond
from arena.platform.refusal import Refused, first_error


@require_POST
@login_required
def room_pause(request: SignedInRequest, number: int) -> HttpResponse:
    run_or_403(request.user, number)

    def pause() -> Change:
        owner_services.pause(number, now=timezone.now())
        return Change(_("The countdown is paused. Players can still submit numbers."))

    return change_and_respond(request, reverse("room", args=[number]), pause)


@require_POST
@login_required
def room_resume(request: SignedInRequest, number: int) -> HttpResponse:
    run_or_403(request.user, number)

    def resume() -> Change:
        owner_services.resume(number, now=timezone.now())
        return Change(_("The countdown continues."))

    return change_and_respond(request, reverse("room", args=[number]), resume)


@require_POST
@login_required
def round_close(request: SignedInRequest, number: int) -> HttpResponse:
    """Close the round whose id the form contains, so that a late click does not close the next one."""
    run_or_403(request.user, number)
    round_id = read_guid(request.POST.get("round", ""))

    def close() -> Change:
        if round_id is None:
            raise Refused(_("This round has already ended. Reload the page."), code="round_closed")
        closed = owner_services.close_round(number, round_id, now=timezone.now())
        if closed is None:
            return Change(_("Nobody had submitted a number, so the round was restarted."))
        return Change(_("Round %(n)s is closed.") % {"n": closed}, closed)

    return change_and_respond(request, reverse("room", args=[number]), close)


@require_POST
@login_required
def room_length(request: SignedInRequest, number: int) -> HttpResponse:
    run_or_403(request.user, number)
    form = LengthForm(request.POST)

    def change() -> Change:
        seconds = int(_valid_data(form)["seconds"])
        owner_services.change_length(number, seconds, now=timezone.now())
        return Change(_("Starting with the next round, each round lasts %(n)s s.") % {"n": seconds})

    return change_and_respond(request, _form_page_url(request, number), change)


@require_POST
@login_required
def player_name(request: SignedInRequest, number: int, player_id: int) -> HttpResponse:
    run_or_403(request.user, number)
    form = PlayerNameForm(request.POST)

    def rename() -> Change:
        wanted = str(_valid_data(form)["name"])
        name = owner_services.rename_player(number, player_id, wanted, now=timezone.now())
        return Change(_("The player is now called %(name)s in this room.") % {"name": name})

    return change_and_respond(request, _players_url(number), rename)


@require_POST
@login_required
def player_remove(request: SignedInRequest, number: int, player_id: int) -> HttpResponse:
    run_or_403(request.user, number)

    def remove() -> Change:
        name = owner_services.remove_player(number, player_id, now=timezone.now())
        text = _(
            "%(name)s has been removed and cannot rejoin. The points are kept, and the standings mark the player as "
            "removed."
        )
        return Change(text % {"name": name})

    return change_and_respond(request, _players_url(number), remove)


def _valid_data(form: LengthForm | PlayerNameForm) -> dict[str, Any]:
    """Return the data of a form with one field; raises Refused with its error."""
    if not form.is_valid():
        raise first_error(form)
    return form.cleaned_data


def _players_url(number: int) -> str:
    """Return the URL of the list of players; the message appears there, because the top of the page is out of view."""
    return reverse("room-setup", args=[number]) + "?changed=players#players-title"


def _form_page_url(request: HttpRequest, number: int) -> str:
    """Return the URL of the page that contains the form: the room's page or its settings page."""
    return reverse("room" if request.POST.get("from") == "room" else "room-setup", args=[number])
