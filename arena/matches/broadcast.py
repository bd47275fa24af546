"""Broadcast the live events of a match to the public and to the people playing it.

The public stream of a match contains what the public may see during the match. If the game hides information, each
person who plays also has a private stream of what their seat may see.

Invariant: an event's number is ``fence * 1_000_000 + n``; the worker counts n from 0, and if an attempt is ended or
restarted from outside its worker, the event that announces this gets the attempt's last number, 999_999. So numbers
only increase, the stream refuses events from an older worker, and the first number of an attempt follows the last
number of the previous attempt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, Final

from django.http import HttpRequest

from arena.core.referee.events import MatchEvent, MatchStarted, TurnPlayed
from arena.games.base import Audience, Viewer
from arena.games.registry import GAMES
from arena.matches.callbacks import guest_seat_of
from arena.matches.models import Match, MatchStatus, Seat
from arena.platform.jobs.announcer import AttemptEnd
from arena.platform.jobs.lifecycle import Lease
from arena.platform.live.publisher import EventSender, Journal, supersede
from arena.platform.live.store import MAX_EVENTS

ATTEMPT = 1_000_000
LAST = ATTEMPT - 1
_BEFORE_TURNS: Final = 2  # events of a match before its first turn: the start, and turn 0
PUBLIC: Final = "matches"  # the prefix of public topics, followed by a match id
SEATS: Final = "seats"  # the prefix of private topics, followed by the row id of a person's seat


def topic(match_id: int) -> str:
    return f"{PUBLIC}/{match_id}"


def topics(match_id: int, games: Iterable[str] = GAMES) -> dict[Viewer, str]:
    """Return the topics of a match, keyed by viewer.

    ``games``: the candidates for the match's game; a query runs only if one of them hides information.
    """
    found: dict[Viewer, str] = {Audience.PUBLIC: topic(match_id)}
    hiding = [game for game in games if GAMES[game].hides]
    if hiding:
        people = Seat.objects.filter(match=match_id, match__game__in=hiding, submission=None)
        found |= {index: f"{SEATS}/{pk}" for index, pk in people.values_list("index", "pk")}
    return found


def last_event_number(fence: int) -> int:
    """Return the number of an attempt's last event."""
    return fence * ATTEMPT + LAST


def first_event_number(fence: int) -> int:
    return fence * ATTEMPT


def newest_event_number(match_id: int) -> int:
    """Return the number of the newest event; 0 for a running match, because its worker resends all events."""
    row = Match.objects.filter(pk=match_id).values_list("status", "fence", "turns").first()
    if row is None or row[0] == MatchStatus.RUNNING:
        return 0
    status, fence, turns = row
    if status == MatchStatus.FINISHED:
        return first_event_number(fence) + _BEFORE_TURNS + turns  # the result follows the last turn
    return last_event_number(fence)


def newest_event_number_of_seat(seat_id: int) -> int:
    """Return the number of the newest event in the stream of the player in this seat."""
    match_id = Seat.objects.filter(pk=seat_id).values_list("match_id", flat=True).first()
    return 0 if match_id is None else newest_event_number(match_id)


def may_watch_seat(request: HttpRequest, seat_id: int) -> bool:
    """Return whether the visitor, identified by account or guest session, is the player in this seat."""
    row = Seat.objects.filter(pk=seat_id, submission=None).values_list("match_id", "index", "person_id").first()
    if row is None:
        return False
    match_id, index, person_id = row
    if person_id is not None:
        return request.user.is_authenticated and request.user.pk == person_id
    return guest_seat_of(request, match_id) == index


def supersede_attempt(match_id: int, fence: int, end: AttemptEnd) -> None:
    """Publish an attempt's last event, which says that the attempt ended without a result."""
    for one in topics(match_id).values():
        supersede(one, last_event_number(fence), {"type": end.value})


class Broadcast:
    """The broadcast of a running match: numbers its events, and publishes to each viewer what that viewer may see."""

    def __init__(self, senders: Mapping[Viewer, EventSender]) -> None:
        self._senders = senders

    def send(self, event: dict[str, Any]) -> None:
        """Publish to everyone an event that contains no hidden information."""
        for sender in self._senders.values():
            sender.publish(lambda: event)

    def on_event(self, event: MatchEvent) -> None:
        if isinstance(event, MatchStarted | TurnPlayed):
            for viewer, sender in self._senders.items():
                sender.publish(partial(_turn_event, event, viewer))


def _turn_event(event: MatchStarted | TurnPlayed, viewer: Viewer) -> dict[str, Any]:
    return {"type": "turn", "turn": event.to_json(viewer)}


@contextmanager
def open_broadcast(lease: Lease, match: Match) -> Iterator[Broadcast]:
    """Yield the broadcast of an attempt.

    The block ends only once the sender has tried to send every event.
    """
    game = GAMES[match.game]
    # All events are kept, because the snapshot of a running match is read from the stream.
    keep = max(MAX_EVENTS, game.max_turns(game.settings(match.settings)) + 100)
    first = first_event_number(lease.fence)
    with ExitStack() as stack:
        yield Broadcast(
            {
                viewer: stack.enter_context(EventSender(Journal(one, first, keep=keep)))
                for viewer, one in topics(match.pk, [match.game]).items()
            }
        )
