"""Pages for creating a room, inviting people and programs, seating bots, and changing the room's settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.accounts.permissions import Action, SignedInRequest, may, require
from arena.games.golden_point.rooms import owner_services, services
from arena.games.golden_point.rooms.bots import seating
from arena.games.golden_point.rooms.forms import (
    AddressesForm,
    BuiltInPlayersForm,
    LengthForm,
    RoomForm,
    RoomNameForm,
    SeatForm,
)
from arena.games.golden_point.rooms.identity import network_digest, read_guid
from arena.games.golden_point.rooms.queries import addresses, players, rooms, seats
from arena.games.golden_point.rooms.queries.rooms import RoomRow, StartPermission, start_permission
from arena.games.golden_point.rooms.queries.seats import BotChoices, BuiltInPlayerRow
from arena.games.golden_point.rooms.rules import NAME_LENGTH, RoomAction, RoomState
from arena.games.golden_point.rooms.services import RoomCaller
from arena.games.golden_point.rooms.texts import STATE_NAMES, translated_refusal
from arena.games.golden_point.rooms.views.access import may_run, room_or_404, run_or_403
from arena.games.golden_point.rooms.views.responses import Change, change_and_respond
from arena.platform import client_address
from arena.platform.refusal import Refused, show_refusal
from arena.ui.qr import qr_svg
from arena.ui.reachability import unreachable_warning

_NO_CHOICES = BotChoices([], [])


@require_http_methods(["GET", "POST"])
@login_required
def room_new(request: SignedInRequest) -> HttpResponse:
    person = request.user
    require(person, RoomAction.CREATE_ROOM)
    choices = seats.bot_choices(person.pk)
    form = RoomForm(request.POST or None, mine=choices.mine, house=choices.house)
    if form.is_valid():
        try:
            number = owner_services.create(person, form.plan(), now=timezone.now())
        except Refused as refusal:
            show_refusal(request, translated_refusal(refusal), form)
        else:
            messages.success(request, _("Room created. Show its code or send its link."))
            return redirect("room-setup", number)
    return render(request, "rooms/new.html", {"form": form}, status=422 if form.is_bound else 200)


@dataclass(frozen=True, slots=True)
class _RoomSetup:
    """A room, and the reader's permissions on it."""

    room: RoomRow
    built_in_players: list[BuiltInPlayerRow]
    choices: BotChoices
    may_run: bool
    starting: StartPermission

    @property
    def is_over(self) -> bool:
        return self.room.state is RoomState.FINISHED


@require_safe
@never_cache
def room_setup(request: HttpRequest, number: int) -> HttpResponse:
    """Show how people, programs and bots join a room; show its owner all other settings too."""
    return _render(request, _room_setup(request, number))


@require_POST
@login_required
def room_name(request: SignedInRequest, number: int) -> HttpResponse:
    setup = _run_or_403(request, number)
    form = RoomNameForm(request.POST)
    if not form.is_valid():
        return _render(request, setup, status=422, name_form=form)
    owner_services.rename(number, form.cleaned_data["name"], now=timezone.now())
    messages.success(request, _("Changes saved."))
    return redirect("room-setup", number)


@require_POST
@login_required
def set_address_binding(request: SignedInRequest, number: int) -> HttpResponse:
    """Set whether programs' ids are bound to the network addresses that use them."""
    _run_or_403(request, number)
    form = AddressesForm(request.POST)
    if form.is_valid():
        owner_services.bind_ids(number, form.cleaned_data["binds"])
        messages.success(request, _("Changes saved."))
    return redirect("room-setup", number)


@require_POST
def room_start(request: HttpRequest, number: int) -> HttpResponse:
    """Start the room.

    The owner may start the room. If a program created the room, anyone who knows the program's uid may start it; if the
    room has neither an owner nor a creator, anyone may.
    """
    setup = _room_setup(request, number)
    if not setup.may_run and setup.room.owner_id is not None:
        require(request.user, RoomAction.RUN_ROOM, setup.room.owner_id)

    def start() -> Change:
        now = timezone.now()
        if setup.may_run:
            owner_services.start(number, now=now)
        else:
            caller = RoomCaller(network_digest(client_address.network_of_request(request)), now)
            services.start(number, read_guid(request.POST.get("uid", "")), caller)
        return Change()

    return change_and_respond(request, reverse("room", args=[number]), start)


@require_POST
@login_required
def room_close(request: SignedInRequest, number: int) -> HttpResponse:
    _run_or_403(request, number)

    def close() -> Change:
        owner_services.close(number, now=timezone.now())
        return Change()

    return change_and_respond(request, reverse("room-setup", args=[number]), close)


@require_POST
@login_required
def built_in_players_add(request: SignedInRequest, number: int) -> HttpResponse:
    setup = _run_or_403(request, number)
    form = BuiltInPlayersForm(request.POST, absent=seats.absent_built_in_players(setup.built_in_players))
    if form.is_valid():
        try:
            owner_services.add_built_in_players(number, form.cleaned_data["built_in_players"], now=timezone.now())
        except Refused as refusal:
            show_refusal(request, refusal, form)
        else:
            messages.success(request, _("The built-in players will start playing in the next round."))
            return redirect("room-setup", number)
    return _render(request, setup, status=422, built_in_players_form=form)


@require_POST
@login_required
def built_in_player_rest(request: SignedInRequest, number: int, strategy: str) -> HttpResponse:
    _run_or_403(request, number)
    owner_services.deactivate_built_in_player(number, strategy)
    messages.success(request, _("The built-in player has left the room. Its seat and points are kept."))
    return redirect("room-setup", number)


@require_POST
@login_required
def seat_add(request: SignedInRequest, number: int) -> HttpResponse:
    setup = _room_setup(request, number)
    form = SeatForm(request.POST, mine=setup.choices.mine, house=setup.choices.house)
    if form.is_valid():
        try:
            seating.seat_bot(number, form.cleaned_data["bot"], request.user, now=timezone.now())
        except Refused as refusal:
            show_refusal(request, refusal, form, field="bot")
        else:
            messages.success(request, _("The bot has a seat and will play as soon as a worker starts it."))
            return redirect("room-setup", number)
    return _render(request, setup, status=422, seat_form=form)


@require_POST
@login_required
def seat_leave(request: SignedInRequest, seat_id: int) -> HttpResponse:
    """Remove a bot at the request of its owner or the room's owner."""
    line = seats.find_seat(seat_id)
    if line is None:
        raise Http404
    room = room_or_404(line.room)
    if not may(request.user, RoomAction.RUN_ROOM, room.owner_id):
        require(request.user, RoomAction.SEAT_BOT, line.owner_id)
    if seating.remove_bot(seat_id, now=timezone.now()):
        messages.success(request, _("The bot has left the room. Its seat and points are kept."))
    return redirect("room-setup", line.room)


@require_safe
@never_cache
@login_required
def seat_report(request: SignedInRequest, seat_id: int) -> HttpResponse:
    """Show the bot's log, and why it left, to its author and to staff."""
    report = seats.seat_report(seat_id)
    if report is None:
        raise Http404
    require(request.user, Action.SEE_LOG, report.line.owner_id)
    context = {
        "report": report,
        "line": report.line,
        "room": room_or_404(report.line.room),
    }
    return render(request, "rooms/seat_report.html", context)


def _room_setup(request: HttpRequest, number: int) -> _RoomSetup:
    room = room_or_404(number)
    runs = may_run(request.user, room)
    return _RoomSetup(
        room=room,
        built_in_players=seats.built_in_players(number),
        choices=_allowed_choices(request, room, runs=runs),
        may_run=runs,
        starting=start_permission(request.user, room),
    )


def _allowed_choices(request: HttpRequest, room: RoomRow, *, runs: bool) -> BotChoices:
    """Return the bots that the reader may seat. ``runs``: whether the reader may run the room.

    In a room with a token, only readers who may run it may seat bots.
    """
    person = request.user
    if person.pk is None or room.state is RoomState.FINISHED or (room.has_token and not runs):
        return _NO_CHOICES
    found = seats.bot_choices(person.pk)
    return BotChoices(
        mine=found.mine if may(person, RoomAction.SEAT_BOT, person.pk) else [], house=found.house if runs else []
    )


def _render(request: HttpRequest, setup: _RoomSetup, status: int = 200, **forms: Any) -> HttpResponse:
    """Render the page. ``forms``: invalid forms to show again."""
    room, choices = setup.room, setup.choices
    link = request.build_absolute_uri(reverse("room", args=[room.number]))
    absent = seats.absent_built_in_players(setup.built_in_players) if setup.may_run and not setup.is_over else []
    binding = addresses.id_binding(room.number) if setup.may_run else None
    warns_of_reach = may(request.user, RoomAction.RUN_ROOM, room.owner_id) and not setup.is_over
    context = {
        "setup": setup,
        "room": room,
        "starting": setup.starting,
        "state_name": STATE_NAMES[room.state],
        "link": link,
        "qr": "" if setup.is_over else qr_svg(link),
        "unreachable": unreachable_warning(request) if warns_of_reach else "",
        "players": players.player_rows(room.number) if setup.may_run else [],
        "name_length": NAME_LENGTH,
        "length_form": LengthForm(initial={"seconds": room.seconds}) if not setup.is_over else None,
        "token": rooms.room_token(room.number) if setup.may_run else "",
        "seats": _seats_with_permissions(request, setup),
        "name_form": RoomNameForm(initial={"name": room.name}),
        "addresses_form": AddressesForm(initial={"binds": binding.binds}) if binding else None,
        "address_changes": binding.changes if binding else [],
        "built_in_players_form": BuiltInPlayersForm(absent=absent) if absent else None,
        "seat_form": SeatForm(mine=choices.mine, house=choices.house) if choices != _NO_CHOICES else None,
        **forms,
    }
    return render(request, "rooms/setup.html", context, status=status)


def _seats_with_permissions(request: HttpRequest, setup: _RoomSetup) -> list[dict[str, Any]]:
    """Return each seat with the reader's permissions on it."""
    return [
        {
            "line": line,
            "may_take": not line.is_over and (setup.may_run or may(request.user, RoomAction.SEAT_BOT, line.owner_id)),
            "may_see": may(request.user, Action.SEE_LOG, line.owner_id),
            "failure": line.failure if setup.may_run or may(request.user, Action.SEE_LOG, line.owner_id) else "",
        }
        for line in seats.seat_rows(setup.room.number, now=timezone.now())
    ]


def _run_or_403(request: SignedInRequest, number: int) -> _RoomSetup:
    run_or_403(request.user, number)
    return _room_setup(request, number)
