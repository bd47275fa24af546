"""Keeping the stored ratings equal to what the match log says.

Invariant: ``refresh`` and ``rebuild`` leave the same rows; what is computed is stored in one short transaction, after
the computing.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import date

from django.db import transaction

from arena.ratings import match_log
from arena.ratings.match_log import FIRST_DAY, DayLog
from arena.ratings.models import RatedDay, Rating, RatingPoint

logger = logging.getLogger(__name__)


def refresh(game: str) -> bool:
    """Recompute from the first day whose matches changed since; False where none did. Two cheap queries then."""
    stored = _stored(game)
    kept = DayLog(sum(day.matches for day in stored.values()), sum(day.checksum for day in stored.values()))
    if kept == match_log.total(game):
        return False
    current = match_log.days(game)
    changed = [day for day in {*stored, *current} if stored.get(day) != current.get(day)]
    if not changed:
        return False
    _recompute(game, current, min(changed))
    return True


def rebuild(game: str) -> int:
    """Recompute everything; returns how many submissions are rated."""
    _recompute(game, match_log.days(game), FIRST_DAY)
    return Rating.objects.filter(game=game).count()


def _stored(game: str) -> dict[date, DayLog]:
    rows = RatedDay.objects.filter(game=game).values_list("day", "matches", "checksum")
    return {day: DayLog(matches, checksum) for day, matches, checksum in rows}


def _recompute(game: str, current: Mapping[date, DayLog], first: date) -> None:
    from arena.ratings.computing import Versions, compute  # numpy: only whoever computes needs it

    computed = compute(match_log.results(game, first), Versions.read(game))
    ratings = [
        Rating(
            submission_id=submission,
            game=game,
            value=rating.value,
            deviation=rating.deviation,
            matches=computed.tallies[submission].matches,
            wins=computed.tallies[submission].wins,
            draws=computed.tallies[submission].draws,
            losses=computed.tallies[submission].losses,
            mean_rank=computed.tallies[submission].mean_rank,
            mean_seats=computed.tallies[submission].mean_seats,
        )
        for submission, rating in computed.ratings.items()
    ]
    points = [
        RatingPoint(submission_id=entry, day=day, value=rating.value, deviation=rating.deviation, matches=matches)
        for (day, entry), (rating, matches) in computed.points.items()
    ]
    days = [RatedDay(game=game, day=day, matches=one.matches, checksum=one.checksum) for day, one in current.items()]
    with transaction.atomic():
        Rating.objects.filter(game=game).delete()
        RatingPoint.objects.filter(submission__bot__game=game, day__gte=first).delete()
        RatedDay.objects.filter(game=game).delete()
        Rating.objects.bulk_create(ratings)
        RatingPoint.objects.bulk_create(points, batch_size=2000)
        RatedDay.objects.bulk_create(days)
    logger.info("ratings of %s: %s submissions, from %s on", game, len(ratings), first)
