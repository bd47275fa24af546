"""Read-only queries for the page of a game's ladder."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from arena.accounts.permissions import Person
from arena.core.ranking.ladder import LadderCandidate, draw_matches
from arena.matches.listing import MatchFilter, newest_match_ids
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.queries import MatchCard, cards_of_ids
from arena.ratings.ladder import ladder_candidates, unfinished_ladder_matches
from arena.ratings.models import LadderPause
from arena.ratings.spare_capacity import SpareCapacity
from arena.submissions.models import Bot
from arena.ui.counts import count_up_to_most

_RECENT: Final = 6


class LadderState(StrEnum):
    """The state of a game's ladder: playing or, if no matches are created, the reason."""

    PLAYING = "playing"
    RESTING = "resting"  # no rating would become much more certain
    GIVING_WAY = "giving_way"  # workers are needed elsewhere
    TOO_FEW = "too_few"  # no two bots in the pool may meet
    PAUSED = "paused"  # paused by staff
    NO_WORKER = "no_worker"  # no worker serves the ladder


@dataclass(frozen=True, slots=True)
class Ladder:
    """A snapshot of a game's ladder."""

    game: str
    state: LadderState
    pool: int
    unfinished: int
    finished: int  # see arena.ui.counts


def ladder_of(game: str, spare: SpareCapacity, *, now: datetime) -> Ladder:
    """Return a snapshot of the ladder, for its page."""
    pool = ladder_candidates(game, now=now)
    under_way = unfinished_ladder_matches().filter(game=game).count()
    played = Match.objects.filter(game=game, purpose=Purpose.LADDER, status=MatchStatus.FINISHED)
    finished = count_up_to_most(played)
    return Ladder(game, _state(game, spare, pool, under_way), len(pool), under_way, finished)


def _state(game: str, spare: SpareCapacity, pool: Sequence[LadderCandidate], under_way: int) -> LadderState:
    if is_paused(game):
        return LadderState.PAUSED
    if not any(pool[0].may_meet(other) for other in pool[1:]):
        return LadderState.TOO_FEW
    if under_way:
        return LadderState.PLAYING
    if not spare.is_idle:
        return LadderState.GIVING_WAY
    if not has_informative_match(pool):
        return LadderState.RESTING
    return LadderState.PLAYING if game in spare.served else LadderState.NO_WORKER


def has_informative_match(pool: Sequence[LadderCandidate]) -> bool:
    """Return whether another match in the pool would add enough information about at least one rating."""
    return bool(draw_matches(pool, 1, random.Random(0)))  # noqa: S311 - not a secret


def bots_without_version(user_id: int, game: str) -> list[str]:
    """Return the names of the user's bots that cannot play yet, because no version has passed its check."""
    rows = Bot.objects.filter(owner_id=user_id, game=game, retired=False, active=None).order_by("name", "pk")
    return list(rows.values_list("name", flat=True))


def recent_matches(game: str, reader: Person) -> list[MatchCard]:
    """Return the ladder's newest matches that the reader may see."""
    return cards_of_ids(newest_match_ids(MatchFilter(game=game, purpose=Purpose.LADDER), reader, _RECENT))


def is_paused(game: str) -> bool:
    return LadderPause.objects.filter(game=game).exists()
