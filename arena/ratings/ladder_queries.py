"""What the ladder of a game does, for its page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from arena.accounts.permissions import Person
from arena.core.ranking import ladder as pairing
from arena.core.ranking.ladder import Candidate
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.queries import MatchCard, MatchFilter, cards_of, matches
from arena.ratings.ladder import candidates, unfinished
from arena.ratings.models import LadderPause
from arena.ratings.spare_capacity import SpareCapacity
from arena.submissions.models import Bot

_RECENT: Final = 6


class LadderState(StrEnum):
    """What the ladder of a game does, and why."""

    PLAYING = "playing"
    RESTING = "resting"  # nobody's rating would become much clearer
    GIVING_WAY = "giving_way"  # workers are needed elsewhere
    TOO_FEW = "too_few"  # fewer than two bots in the pool
    PAUSED = "paused"  # by staff
    NO_WORKER = "no_worker"  # none takes matches of the ladder


@dataclass(frozen=True, slots=True)
class Ladder:
    """The ladder of a game at one moment."""

    game: str
    state: LadderState
    pool: int
    unfinished: int
    finished: int


@dataclass(frozen=True, slots=True)
class OwnBot:
    """A bot of the reader: ``plays`` where it has a version that may, ``out`` where it is kept out."""

    id: int
    name: str
    plays: bool
    out: bool


def state_of(game: str, spare: SpareCapacity, *, now: datetime) -> Ladder:
    """For the ladder's page."""
    pool = candidates(game, now=now)
    under_way = unfinished().filter(game=game).count()
    finished = Match.objects.filter(game=game, purpose=Purpose.LADDER, status=MatchStatus.FINISHED).count()
    return Ladder(game, _state(game, spare, pool, under_way), len(pool), under_way, finished)


def _state(game: str, spare: SpareCapacity, pool: Sequence[Candidate], under_way: int) -> LadderState:
    if is_paused(game):
        return LadderState.PAUSED
    if len(pool) < 2:
        return LadderState.TOO_FEW
    if under_way:
        return LadderState.PLAYING
    if not spare.is_idle:
        return LadderState.GIVING_WAY
    if not pairing.pairs(pool, 1):
        return LadderState.RESTING
    return LadderState.PLAYING if game in spare.served else LadderState.NO_WORKER


def bots_of(user_id: int, game: str) -> list[OwnBot]:
    """The reader's bots of the game that are not retired."""
    rows = Bot.objects.filter(owner_id=user_id, game=game, retired=False).order_by("name", "pk")
    columns = rows.values_list("pk", "name", "active_id", "ladder_absence")
    return [OwnBot(pk, name, active is not None, absence is not None) for pk, name, active, absence in columns]


def recent(game: str, reader: Person) -> list[MatchCard]:
    """The newest matches of the ladder."""
    return cards_of(matches(MatchFilter(game=game, purpose=Purpose.LADDER), reader)[:_RECENT])


def owner_and_game(bot_id: int) -> tuple[int, str] | None:
    return Bot.objects.filter(pk=bot_id).values_list("owner_id", "game").first()


def is_paused(game: str) -> bool:
    return LadderPause.objects.filter(game=game).exists()
