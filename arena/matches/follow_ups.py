"""Actions after a match: request a rematch, or open the next match of the same bot."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol, runtime_checkable

from arena.accounts.models import User
from arena.accounts.panels import Panel
from arena.accounts.permissions import Action, Person, may
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.playing import limits_of
from arena.matches.queries import MatchCard, SeatRow
from arena.matches.scrimmages import Scrimmage, request_scrimmage
from arena.matches.visibility import visible

_MAX_SEATS: Final = 12  # maximum table size for a rematch


@runtime_checkable
class LinksMatches(Protocol):
    """The content of a panel that links to other matches."""

    @property
    def linked_matches(self) -> frozenset[int]:
        """The ids of those matches."""


@dataclass(frozen=True, slots=True)
class NextMatch:
    """The next match of a bot; ``name``: the bot's name."""

    match_id: int
    name: str


def can_be_replayed(card: MatchCard, reader: Person) -> bool:
    """Return whether the reader can have the bots of this match play again: one of them must be the reader's own."""
    if card.status != MatchStatus.FINISHED or not isinstance(reader, User) or not may(reader, Action.REQUEST_MATCH):
        return False
    bots = [seat.bot_id for seat in card.seats]
    return (
        _own_seat(card, reader) is not None
        and None not in bots
        and len(set(bots)) == len(bots) <= _MAX_SEATS  # a version test seats two versions of one bot
    )


def request_rematch(card: MatchCard, person: User, *, now: datetime, rng: random.Random) -> int:
    """Create a scrimmage with the match's settings and time limits, and return its id.

    The seats rotate by one, and bots play their current versions. Raises Refused. ``can_be_replayed`` must be true.
    """
    match = Match.objects.only("game", "settings", "limits").get(pk=card.id)
    bots = [seat.bot_id for seat in card.seats if seat.bot_id is not None]
    rotated = (*bots[-1:], *bots[:-1])
    limits = limits_of(match.limits)
    scrimmage = Scrimmage(match.game, rotated, match.settings, limits.move_seconds, limits.pace_seconds)
    return request_scrimmage(person, scrimmage, now=now, rng=rng)


def is_linked(match_id: int, panels: Iterable[Panel]) -> bool:
    """Return whether one of the panels links to the match."""
    return any(isinstance(panel.content, LinksMatches) and match_id in panel.content.linked_matches for panel in panels)


def next_match(card: MatchCard, reader: Person) -> NextMatch | None:
    """Return the next visible match of a bot that plays in this one, or None if there is no such match. Runs one query.

    The bot is the reader's own bot, otherwise the first bot of a student, otherwise the first bot.
    """
    bots = [seat for seat in card.seats if seat.bot_id is not None]
    students = [seat for seat in bots if not seat.is_house]
    own = _own_seat(card, reader)
    seat = own or next(iter([*students, *bots]), None)
    if seat is None or seat.bot_id is None:
        return None
    rows = Match.objects.filter(
        visible(reader),
        pk__gt=card.id,
        status__in=(MatchStatus.RUNNING, MatchStatus.FINISHED),
        seats__submission__bot_id=seat.bot_id,
    )
    if card.purpose != Purpose.VERSION_TEST:  # a version test has hundreds of matches that differ only in their seeds
        rows = rows.exclude(purpose=Purpose.VERSION_TEST)
    found = rows.order_by("pk").values_list("pk", flat=True).first()
    return None if found is None else NextMatch(found, seat.name)


def _own_seat(card: MatchCard, reader: Person) -> SeatRow | None:
    if not isinstance(reader, User):
        return None
    return next((seat for seat in card.seats if seat.owner == reader.username), None)
