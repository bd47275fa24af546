"""Actions after a match: request a rematch, or open the next match of the same bot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse

from arena.accounts.models import User
from arena.accounts.permissions import Action, Person, may
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.queries import MatchCard, SeatRow
from arena.matches.visibility import visible

_MAX_SEATS: Final = 12  # maximum table size for a rematch


@dataclass(frozen=True, slots=True)
class NextMatch:
    """The next match of a bot; ``name``: the bot's name if it is the reader's, otherwise ""."""

    match_id: int
    name: str


def rematch_url(card: MatchCard, reader: Person) -> str:
    """Return the URL of a scrimmage form prefilled with the same bots.

    Return "" if no rematch is possible, or if none of the bots is the reader's.
    """
    if card.status != MatchStatus.FINISHED or not isinstance(reader, User) or not may(reader, Action.REQUEST_MATCH):
        return ""
    bots = [seat.bot_id for seat in card.seats]
    own = _own_seat(card, reader)
    if own is None or None in bots or len(bots) > _MAX_SEATS:
        return ""
    others = [("against", seat.bot_id) for seat in card.seats if seat is not own]
    return f"{reverse('scrimmage-new')}?{urlencode([('game', card.game), ('mine', own.bot_id), *others])}"


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
    return None if found is None else NextMatch(found, own.name if own else "")


def _own_seat(card: MatchCard, reader: Person) -> SeatRow | None:
    if not isinstance(reader, User):
        return None
    return next((seat for seat in card.seats if seat.owner == reader.username), None)
