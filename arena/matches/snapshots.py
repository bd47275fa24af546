"""A match as JSON: the initial state of its page, which events from the WebSocket then update.

Invariant: a snapshot and the events numbered after its ``seq`` together give the content of a later snapshot; a viewer
who missed anything requests a new one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from django.http import Http404
from django.urls import reverse

from arena.core.referee.events import outcome_json
from arena.core.referee.replay import replay
from arena.games.base import Audience, Viewer
from arena.games.registry import GAMES
from arena.matches.broadcast import first_event_number, last_event_number, topic, topics
from arena.matches.models import Match, MatchStatus, Seat
from arena.matches.records import record_of
from arena.matches.seat_faults import shown_fault
from arena.matches.seat_owners import FETCHED, owner_of
from arena.matches.stored_turns import StoredTurns, stored_turns, turns_or_pages
from arena.matches.streamed_turns import StreamedTurns, streamed_turns
from arena.matches.turn_pages import TAIL_BYTES, PagedTurns, TurnBatch, size_of
from arena.platform.live.stream import newest_events, read_events

Json = dict[str, Any]
_NEWEST = 2  # number of newest events to search for the newest turn of a running match


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
        "fault": shown_fault(seat) or None,
        "color": colors[seat.index] if colors else None,
    }


def seats_json(seats: Iterable[Seat], game: str) -> list[Json]:
    return [seat_json(seat, game) for seat in seats]


def stored_outcome(match: Match, seats: Sequence[Seat]) -> Json | None:
    """Return the outcome of a finished match from its rows; None for all other matches."""
    if match.status != MatchStatus.FINISHED:
        return None
    return outcome_json([seat.points for seat in seats], [seat.rank for seat in seats], match.termination)


@dataclass(frozen=True, slots=True)
class MatchSnapshot:
    """The initial state of a match page.

    ``sent``: the JSON sent to the page. ``turns``: all turns, read on demand for a long match.
    """

    sent: Json
    turns: Sequence[Json]


def snapshot(match_id: int, viewer: Viewer = Audience.PUBLIC) -> Json:
    """Return the initial state of the match page for ``viewer``; see ``match_snapshot``."""
    return match_snapshot(match_id, viewer).sent


def match_snapshot(match_id: int, viewer: Viewer = Audience.PUBLIC, *, whole: bool = False) -> MatchSnapshot:
    """Return everything that the match page shows to ``viewer``. Raises Http404.

    A running match is read from the viewer's stream, named ``topic``. A seat has its own stream only if the game hides
    information and a person plays in that seat. Once the match is over, nothing is hidden.

    For a long match, ``turns`` are the newest turns, starting with number ``first``; ``turns_url`` is the URL of the
    other pages, ``of`` is their version, ``overview`` is the view's data for all turns, and ``spent`` is the seconds
    charged before ``first``. ``whole``: include all turns, however long the match is.
    """
    match = Match.objects.filter(pk=match_id).first()
    if match is None:
        raise Http404
    seats = list(match.seats.select_related(*FETCHED))
    viewers = topics(match.pk, [match.game])
    followed = viewers.get(viewer, viewers[Audience.PUBLIC])
    seq, found = _newest_event_and_turns(match, followed, len(seats), whole=whole)
    sent = {
        "seq": seq,
        "topic": followed,
        "match": match_json(match),
        "seats": seats_json(seats, match.game),
        "turns": found if isinstance(found, list) else [],
        "outcome": stored_outcome(match, seats),
    }
    if isinstance(found, list):
        return MatchSnapshot(sent, found)
    return MatchSnapshot({**sent, **_last_turns(match, found)}, PagedTurns(found))


def newest_view(match_id: int) -> Json | None:
    """Return what the public sees of the newest turn of a running match; None before its first turn."""
    events = [json.loads(frame.text) for frame in newest_events(topic(match_id), _NEWEST)]
    return next((event["turn"]["view"] for event in reversed(events) if event["type"] == "turn"), None)


def turn_page(match_id: int, number: int) -> TurnPageJson:
    """Return the public page that contains this turn. Raises Http404."""
    match = Match.objects.filter(pk=match_id).first()
    if match is None:
        raise Http404
    _, found = _newest_event_and_turns(match, topic(match.pk), match.seats.count(), whole=False)
    if isinstance(found, list):
        return TurnPageJson(TurnBatch(0, found, [0.0] * match.seats.count()).compress(), "")
    data = found.data(number) if isinstance(found, StoredTurns) else _compressed_page(found.page(number))
    if data is None or number >= found.count:
        raise Http404
    return TurnPageJson(data, found.version)


@dataclass(frozen=True, slots=True)
class TurnPageJson:
    """A page of turns as compressed JSON.

    ``data``: zlib-compressed JSON; ``version``: "" if the page may change.
    """

    data: bytes
    version: str


def _compressed_page(page: TurnBatch | None) -> bytes | None:
    return page.compress() if page else None


def _last_turns(match: Match, found: StoredTurns | StreamedTurns) -> Json:
    """Return the newest turns of a long match, and where to find the others."""
    page = found.page(found.count - 1) or TurnBatch(found.count, [], [])
    before = found.page(page.first - 1) if page.first else None
    turns = page.turns
    if before and sum(map(size_of, (*before.turns, *turns))) <= TAIL_BYTES:
        turns, page = [*before.turns, *turns], before
    return {
        "turns": turns,
        "first": page.first,
        "spent": page.spent,
        "overview": found.overview,
        "pages": found.history.pages if isinstance(found, StoredTurns) else [],
        "turns_url": reverse("match-turns", args=[match.pk, 0]).removesuffix("0.json"),
        "of": found.version,
    }


def _newest_event_and_turns(
    match: Match, followed: str, seats: int, *, whole: bool
) -> tuple[int, list[Json] | StoredTurns | StreamedTurns]:
    """Return the number of the newest event, and the turns up to it; ``followed``: the topic of the viewer's stream.

    If the attempt has ended since ``match`` was read, the number is that of its last turn: the rows do not show the
    end, so viewers must still receive the event that does.
    """
    if match.status == MatchStatus.FINISHED:
        return last_event_number(match.fence), _load_stored_turns(match, whole=whole)
    if match.status != MatchStatus.RUNNING:
        return last_event_number(match.fence), []
    start, last = first_event_number(match.fence) - 1, last_event_number(match.fence)
    found = streamed_turns(followed, start + 1, last, match.game, seats)
    if found and found.is_long and not whole:
        return found.seq, found
    # If the broker has lost the stream, the match's worker rebuilds it with its next event.
    events = list(takewhile(lambda event: _shows_progress(event, last), read_events(followed, start).list))
    turns = [event["turn"] for event in events if event["type"] == "turn"]
    return (events[-1]["seq"] if events else start), turns


def _shows_progress(event: Json, last: int) -> bool:
    """Return whether an event starts or continues the attempt whose last event has the number ``last``."""
    return event["type"] in ("started", "turn") and event["seq"] < last


def _load_stored_turns(match: Match, *, whole: bool) -> list[Json] | StoredTurns:
    """Return the stored turns; empty if the record was deleted."""
    kept = None if whole else stored_turns(match.pk, match.game)
    if kept is not None:
        return kept
    record = record_of(match.pk)
    if record is None:
        return []
    return replay(record, GAMES) if whole else turns_or_pages(match.pk, record)
