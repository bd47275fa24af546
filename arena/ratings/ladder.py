"""The ladder of a game: a permanent pool whose rated matches idle workers play.

``ladder_pool`` selects the bots; ``arena.core.ranking.ladder`` draws the opponents.

Invariants: matches are created only for idle processes, on a separate queue with the lowest priority. As soon as other
work is waiting and no process is free, unfinished ladder matches are cancelled. So the ladder delays other work by at
most a tick plus the time until a worker notices the cancellation (a heartbeat).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from arena.core.ranking import ladder as drawing
from arena.core.ranking.ladder import LadderCandidate
from arena.games.openings import draw_opening, has_openings
from arena.games.registry import GAMES, is_rated
from arena.matches.models import Match, MatchStatus, Purpose, Seat
from arena.matches.services import UNFINISHED, MatchRequest, cancel, create_matches
from arena.ratings.ladder_pool import ladder_pool_of
from arena.ratings.models import LadderPause
from arena.ratings.queries import UNRATED, estimates
from arena.ratings.spare_capacity import SpareCapacity

TABLE_SEATS: Final = 6  # table size in games for more than two players
MOVE_SECONDS: Final = 5.0
_RATED_AFTER: Final = timedelta(minutes=2)  # ratings are updated from the match log every minute
_LIMITS: Final[dict[str, object]] = {"move_seconds": MOVE_SECONDS, "pace_seconds": 0.0}


def tick(spare: SpareCapacity, *, now: datetime, rng: random.Random) -> int:
    """Create matches for idle processes, or yield to other work; return how many matches were created."""
    if spare.is_short:
        cancel(list(unfinished_ladder_matches().values_list("pk", flat=True)))
    if not spare.is_idle:
        return 0
    taken = 0  # a process that serves several games plays one at a time
    for game in _shuffled_games(rng):
        taken += len(create_ladder_matches(game, spare.free.get(game, 0) - taken, now=now, rng=rng))
    return taken


def create_ladder_matches(game: str, most: int, *, now: datetime, rng: random.Random) -> list[int]:
    """Create at most ``most`` ladder matches for a game, unless its ladder is paused; return their ids."""
    if most <= 0 or not is_rated(game) or LadderPause.objects.filter(game=game).exists():
        return []
    seats = min(TABLE_SEATS, GAMES[game].max_seats)
    tables = drawing.draw_matches(ladder_candidates(game, now=now), most if seats == 2 else 1, rng, seats)
    with transaction.atomic():
        return create_matches([_match_request(game, table, rng) for table in tables])


def ladder_candidates(game: str, *, now: datetime) -> list[LadderCandidate]:
    """Return all candidates in the pool, using five queries."""
    pending, known = _pending_counts(game, now), estimates(game)
    return [
        LadderCandidate(submission, known.get(submission, UNRATED), pending[submission], author)
        for submission, author in ladder_pool_of(game)
    ]


def pause(game: str, *, now: datetime) -> None:
    """Stop creating matches on the ladder of a game; running matches finish."""
    LadderPause.objects.get_or_create(game=game, defaults={"since": now})


def resume(game: str) -> None:
    LadderPause.objects.filter(game=game).delete()


def unfinished_ladder_matches() -> QuerySet[Match]:
    return Match.objects.filter(purpose=Purpose.LADDER, status__in=UNFINISHED)


def _pending_counts(game: str, now: datetime) -> Counter[int]:
    """Return, for each submission, the number of its ladder matches that do not affect its rating yet.

    These are the unfinished matches, and those that finished only recently.
    """
    of_ladder = Match.objects.filter(game=game, purpose=Purpose.LADDER).order_by()
    lately = of_ladder.filter(status=MatchStatus.FINISHED, finished_at__gt=now - _RATED_AFTER)
    matches = [*of_ladder.filter(status__in=UNFINISHED).values_list("pk"), *lately.values_list("pk")]
    seats = Seat.objects.filter(match__in=[pk for (pk,) in matches])
    return Counter(seats.order_by().values_list("submission_id", flat=True))


def _match_request(game: str, table: Sequence[int], rng: random.Random) -> MatchRequest:
    """Build the request for the next match of these opponents.

    Two opponents play pairs of matches with swapped seats and the same opening; at larger tables, seats are random.
    """
    rules = GAMES[game]
    seats, wanted = tuple(rng.sample(table, len(table))), {}
    if len(table) == 2:
        number, one, other = _count_matches_between(*table), min(table), max(table)
        seats = _seats_in_pair(one, other, number)
        if has_openings(game):
            wanted = {"opening": draw_opening(game, f"ladder {one} {other} {number // 2}")}
    return MatchRequest(
        game=game,
        settings=rules.settings_json(rules.settings(wanted)),
        limits=_LIMITS,
        seed=rng.getrandbits(48),
        purpose=Purpose.LADDER,
        submissions=seats,
    )


def _seats_in_pair(one: int, other: int, number: int) -> tuple[int, int]:
    """Return two opponents in seat order.

    ``number``: the index of this match among all ladder matches between the two, counted from 0.

    Matches come in pairs: a random draw decides which bot begins in the first match; in the second, the seats are
    swapped.
    """
    first = random.Random(f"seats {one} {other} {number // 2}").choice((one, other))  # noqa: S311 - not a secret
    second = other if first == one else one
    return (second, first) if number % 2 else (first, second)


def _count_matches_between(one: int, other: int) -> int:
    """Return how many ladder matches these two submissions have played or are scheduled to play."""
    met = Match.objects.filter(purpose=Purpose.LADDER, seats__submission=one)
    lost = (MatchStatus.VOID, MatchStatus.CANCELLED)
    return met.filter(seats__submission=other).exclude(status__in=lost).count()


def _shuffled_games(rng: random.Random) -> list[str]:
    return rng.sample(list(GAMES), len(GAMES))
