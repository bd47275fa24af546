"""A match as JSON: what its page starts from and what its socket goes on with.

Invariant: a snapshot and the events numbered after its ``seq`` together give what a later snapshot
shows; a viewer who lost anything asks for a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.http import Http404
from django.urls import reverse

from arena.core.referee.events import outcome_json
from arena.core.referee.record import load
from arena.core.referee.replay import replay
from arena.games.base import Audience, Viewer
from arena.games.registry import GAMES
from arena.matches.broadcast import first_number, last_number, topics
from arena.matches.models import Match, MatchStatus, Seat
from arena.matches.seat_owners import FETCHED, owner_of
from arena.platform.live.stream import read

Json = dict[str, Any]


def match_json(match: Match) -> Json:
    return {
        "id": match.pk,
        "game": match.game,
        "status": match.status,
        "settings": match.settings,
        "url": reverse("match", args=[match.pk]),
    }


def seat_json(seat: Seat, game: str) -> Json:
    owner = owner_of(seat)
    colors = GAMES[game].colors
    return {
        "index": seat.index,
        "name": owner.name,
        "owner": owner.bot_owner,
        "bot_url": owner.url,
        "version": owner.version,
        "clock": seat.clock,
        "points": seat.points,
        "rank": seat.rank,
        "fault": seat.fault or None,
        "color": colors[seat.index] if colors else None,
    }


def seats_json(seats: Iterable[Seat], game: str) -> list[Json]:
    return [seat_json(seat, game) for seat in seats]


def stored_outcome(match: Match, seats: Sequence[Seat]) -> Json | None:
    """The outcome of a finished match from its rows."""
    if match.status != MatchStatus.FINISHED:
        return None
    return outcome_json([seat.points for seat in seats], [seat.rank for seat in seats], match.termination)


def snapshot(match_id: int, viewer: Viewer = Audience.PUBLIC) -> Json:
    """Everything the match page shows to ``viewer``; raises Http404.

    A running match is read from the viewer's stream, and ``topic`` names it: a seat has one of its own only where the
    game hides something and a person plays there. After the end nothing is hidden any more.
    """
    match = Match.objects.filter(pk=match_id).select_related("record").first()
    if match is None:
        raise Http404
    seats = list(match.seats.select_related(*FETCHED))
    viewers = topics(match.pk, [match.game])
    followed = viewers.get(viewer, viewers[Audience.PUBLIC])
    seq, turns = _turns(match, followed)
    return {
        "seq": seq,
        "topic": followed,
        "match": match_json(match),
        "seats": seats_json(seats, match.game),
        "turns": turns,
        "outcome": stored_outcome(match, seats),
    }


def _turns(match: Match, followed: str) -> tuple[int, list[Json]]:
    if match.status == MatchStatus.FINISHED:
        return last_number(match.fence), replay(load(bytes(match.record.data)), GAMES)
    if match.status != MatchStatus.RUNNING:
        return last_number(match.fence), []
    start = first_number(match.fence) - 1
    # A broken stream (the broker lost it) is rebuilt by the match's worker with its next event.
    events = read(followed, start).list
    turns = [event["turn"] for event in events if event["type"] == "turn"]
    return (events[-1]["seq"] if events else start), turns
