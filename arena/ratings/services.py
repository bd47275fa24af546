"""Keep the stored ratings consistent with the match log.

Invariant: ``refresh`` and ``rebuild`` produce the same rows, to within a millionth of a point; results are stored in
one short transaction after the computation. A refresh reads only changed days from the log and all other days from
``RatedDay``; it detects changes with three indexed queries.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING

from django.db import transaction

from arena.platform.bulk_insert import insert_rows
from arena.ratings import match_log
from arena.ratings.match_log import FIRST_DAY, DayLog
from arena.ratings.models import RatedDay, Rating, RatingPoint

if TYPE_CHECKING:
    from arena.core.ranking.choices import CountedResults

logger = logging.getLogger(__name__)

_RATING = ("submission", "game", "value", "deviation")
_TALLY = ("matches", "wins", "draws", "losses", "mean_rank", "mean_seats")
_POINT = ("submission", "day", "value", "deviation", "matches")


def refresh(game: str) -> bool:
    """Recompute a game's ratings from the first changed day; return False if nothing has changed."""
    stored = _stored_logs(game)
    current = _current_logs(game, stored)
    changed = {day for day in {*stored, *current} if stored.get(day) != current.get(day)}
    if not changed:
        return False
    _recompute(game, current, changed, dict(Rating.objects.filter(game=game).values_list("submission_id", "value")))
    return True


def rebuild(game: str) -> int:
    """Recompute everything from the match log alone; return how many submissions are rated."""
    current = match_log.daily_logs(game)
    _recompute(game, current, {FIRST_DAY, *current}, start={})
    return Rating.objects.filter(game=game).count()


def _stored_logs(game: str) -> dict[date, DayLog]:
    rows = RatedDay.objects.filter(game=game).values_list("day", "matches", "checksum")
    return {day: DayLog(matches, checksum) for day, matches, checksum in rows}


def _current_logs(game: str, stored: Mapping[date, DayLog]) -> dict[date, DayLog]:
    """Return the log of each day; days before the newest stored one are read only if their totals have changed."""
    newest = max(stored, default=FIRST_DAY)
    earlier = {day: log for day, log in stored.items() if day < newest}
    known = DayLog(sum(log.matches for log in earlier.values()), sum(log.checksum for log in earlier.values()))
    if known == match_log.total_before(game, newest):
        return earlier | match_log.daily_logs(game, newest)
    return match_log.daily_logs(game)


def _recompute(game: str, current: Mapping[date, DayLog], changed: set[date], start: Mapping[int, float]) -> None:
    # numpy: imported only where ratings are computed
    from arena.ratings.computation import GameVersions, compute
    from arena.ratings.packed_results import pack_results

    first = min(changed)
    results, kept = _load_results(game, current, changed)
    computed = compute(results, first, GameVersions.read(game), start)
    tallies = computed.tallies
    ratings = [
        (entry, game, rating.value, rating.deviation, *(getattr(tallies[entry], name) for name in _TALLY))
        for entry, rating in computed.ratings.items()
    ]
    days = [
        (game, day, current[day].matches, current[day].checksum, pack_results(results[day]))
        for day in sorted(current)
        if day not in kept
    ]
    with transaction.atomic():
        Rating.objects.filter(game=game).delete()
        RatingPoint.objects.filter(submission__bot__game=game, day__gte=first).delete()
        RatedDay.objects.filter(game=game).exclude(day__in=kept).delete()
        insert_rows(Rating, (*_RATING, *_TALLY), ratings)
        insert_rows(RatingPoint, _POINT, computed.point_rows())
        insert_rows(RatedDay, ("game", "day", "matches", "checksum", "results"), days)
    logger.info("ratings of %s: %s submissions, from %s on", game, len(ratings), first)


def _load_results(
    game: str, current: Mapping[date, DayLog], changed: set[date]
) -> tuple[dict[date, CountedResults], set[date]]:
    """Return the results of all days, and the set of days whose results are already stored.

    ``changed``: the days whose stored results are outdated.
    """
    from arena.ratings.packed_results import unpack_results

    rows = RatedDay.objects.filter(game=game).exclude(day__in=changed).values_list("day", "results")
    found = {day: unpack_results(bytes(data)) for day, data in rows if day in current}
    kept = set(found)
    found |= {day: match_log.results_of_day(game, day) for day in current if day not in kept}
    return found, kept
