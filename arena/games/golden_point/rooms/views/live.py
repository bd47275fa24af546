"""A room's page and its data: state, earlier rounds, and all rounds as a file."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.accounts.permissions import may
from arena.core.number_format import format_number
from arena.games.golden_point.rooms.live import snapshots
from arena.games.golden_point.rooms.queries import addresses, rooms, seats
from arena.games.golden_point.rooms.queries.rooms import RoomRow, start_permission
from arena.games.golden_point.rooms.queries.spreadsheets import rounds_text
from arena.games.golden_point.rooms.rules import (
    MAX_ROUND_SECONDS,
    MIN_ROUND_SECONDS,
    NAME_LENGTH,
    RoomAction,
    RoomState,
)
from arena.games.golden_point.rooms.texts import STATE_NAMES
from arena.games.golden_point.rooms.views.access import may_run
from arena.games.golden_point.rules import FARTHEST_LOSES, RATIO
from arena.games.site import EmbeddablePage
from arena.platform.downloads import stream_download
from arena.ui.framing import allow_framing
from arena.ui.localized import name_for_reader, ordinal
from arena.ui.qr import qr_svg
from arena.ui.reachability import unreachable_warning

_MAX_DIGITS = 9
_MAX_SCORES = 200  # shown without scripts
_LAST_ROUNDS = 20


@require_safe
@never_cache
def room(request: HttpRequest, number: int) -> HttpResponse:
    """Show a room to its players or, on a projector, to a class; scripts update the page."""
    line = rooms.room_row(number)
    now = timezone.now()
    snapshot = snapshots.snapshot(number, now)
    terms = snapshots.terms_json(number)
    if line is None or snapshot is None or terms is None:
        return render(request, "rooms/unknown.html", {"number": number}, status=404)
    link = request.build_absolute_uri(request.path)
    may_join = not line.has_token and line.state is not RoomState.FINISHED
    may_moderate = may(request.user, RoomAction.RUN_ROOM, line.owner_id)
    context = {
        **_board_context(line, snapshot, terms, now),
        "link": link,
        "qr": qr_svg(link) if may_join else "",
        "unreachable": unreachable_warning(request) if may_join else "",
        "may_run": may_run(request.user, line),
        "may_moderate": may_moderate,
        "ratio": RATIO,
        "farthest_loses": FARTHEST_LOSES,
        "name_length": NAME_LENGTH,
        "min_seconds": MIN_ROUND_SECONDS,
        "max_seconds": MAX_ROUND_SECONDS,
        "page": {"terms": terms, "snapshot": snapshot, "explained": seats.bots_explained_to(request.user)},
        "starting": start_permission(request.user, line),
        "has_address_changes": may_moderate and addresses.has_recent_address_change(number, now=now),
    }
    return render(request, "rooms/room.html", context)


def embeddable_room(number: int) -> EmbeddablePage | None:
    """Describe the frame in which other sites embed a room; return None if there is no such room."""
    line = rooms.room_row(number)
    if line is None:
        return None
    title = line.name or gettext("Room %(number)s") % {"number": number}
    return EmbeddablePage(reverse("embed-room", args=[number]), title, 640, 900)


@allow_framing
def embedded_room(request: HttpRequest, number: int) -> HttpResponse:
    """Show a room's round, chart and standings in a frame on another site."""
    line = rooms.room_row(number)
    now = timezone.now()
    snapshot = snapshots.snapshot(number, now)
    terms = snapshots.terms_json(number)
    if line is None or snapshot is None or terms is None:
        raise Http404
    page = {"terms": terms, "snapshot": snapshot, "explained": []}
    return render(request, "rooms/embed.html", {**_board_context(line, snapshot, terms, now), "page": page})


@require_safe
@never_cache
def room_snapshot(request: HttpRequest, number: int) -> JsonResponse:
    """Return the room's state; ``?since=N`` omits the rounds up to that index, which the page already has."""
    snapshot = snapshots.snapshot(number, timezone.now(), since=_index_parameter(request, "since", 0))
    if snapshot is None:
        raise Http404
    return JsonResponse(snapshot)


@require_safe
@never_cache
def room_rounds(request: HttpRequest, number: int) -> JsonResponse:
    """Return rounds before ``?before=N``, newest first, a page at a time."""
    _room_or_404(number)
    return JsonResponse(snapshots.rounds_before(number, _index_parameter(request, "before", 10**_MAX_DIGITS)))


@require_safe
def room_table(request: HttpRequest, number: int) -> StreamingHttpResponse:
    """Return all numbers of the room's rounds as a CSV file."""
    _room_or_404(number)
    return stream_download(request, rounds_text(number), "text/csv; charset=utf-8", f"room-{number}-rounds.csv")


def _board_context(
    line: RoomRow, snapshot: Mapping[str, Any], terms: Mapping[str, Any], now: datetime
) -> dict[str, Any]:
    """Return the template context for the parts that everybody sees: the round, the latest rounds and the standings."""
    return {
        "room": line,
        "state_name": STATE_NAMES[line.state],
        "live": snapshot["room"] | {"podium": _podium(snapshot["room"])},
        "terms": terms,
        "rounds": snapshot["rounds"][:_LAST_ROUNDS],
        "scores": _rank_scores(snapshot)[:_MAX_SCORES],
        "day": _earlier_day(snapshot, now),
    }


def _rank_scores(snapshot: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the standings, best first.

    Players with equal scores share the better rank and are listed in order of joining. Removed players come last,
    without a rank.
    """
    removed = set(snapshot["room"]["removed"])
    best = sorted(snapshot["scores"], key=lambda each: (each[0] in removed, -each[1]))
    falling = [-score for player, score in best if player not in removed]
    return [
        {
            "name": _displayed_name(snapshot["names"][player], snapshot["room"]),
            "score": score,
            "rank": None if player in removed else bisect_left(falling, -score) + 1,
        }
        for player, score in best
    ]


def _podium(room: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the podium in the page's language, as podium.js draws it; None if the room has no podium.

    ``places``: the rank, the name and the points of each place, as text.
    """
    podium = room["podium"]
    if podium is None:
        return None
    places = [(rank, _displayed_name(name, room), _points_text(points)) for rank, name, points in podium["places"]]
    return {"places": places, "more_text": _more_text(podium), "persons_text": _persons_text(podium)}


def _more_text(podium: Mapping[str, Any]) -> str:
    """Return how many players share the last place on the podium without being named; "" if none do."""
    if not podium["more"]:
        return ""
    last_rank, _, _ = podium["places"][-1]
    return gettext("and %(n)s more in %(rank)s place") % {"n": podium["more"], "rank": ordinal(last_rank)}


def _persons_text(podium: Mapping[str, Any]) -> str:
    """Return the best human players in a sentence, if a bot or a program won; otherwise ""."""
    persons = podium["persons"]
    if not persons:
        return ""
    rank, _, points = persons[0]
    names = pgettext("between names", ", ").join(name for _, name, _ in persons)  # never those of house bots
    more = podium["more_persons"]
    values = {
        "names": gettext("%(names)s and %(rest)s more") % {"names": names, "rest": more} if more else names,
        "rank": ordinal(rank),
        "players": podium["players"],
        "points": _points_text(points),
    }
    if not podium["persons_tied"]:
        return gettext("Best human player: %(names)s, %(rank)s of %(players)s, %(points)s") % values
    text = ngettext(
        "Best human player: %(names)s, tied for %(rank)s of %(players)s, %(points)s",
        "Best human players: %(names)s, tied for %(rank)s of %(players)s, %(points)s each",
        len(persons),
    )
    return text % values


def _points_text(points: int) -> str:
    return ngettext("%(n)s point", "%(n)s points", abs(points)) % {"n": format_number(points)}


def _displayed_name(name: str, room: Mapping[str, Any]) -> str:
    return name_for_reader(name, room["translations"].get(name, {}))


def _earlier_day(snapshot: Mapping[str, Any], now: datetime) -> date | None:
    """Return the date of the standings; None if it is today."""
    day = date.fromisoformat(snapshot["day"]) if snapshot["day"] else None
    return None if day == timezone.localtime(now).date() else day


def _room_or_404(number: int) -> None:
    if rooms.room_row(number) is None:
        raise Http404


def _index_parameter(request: HttpRequest, name: str, usual: int) -> int:
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else usual
