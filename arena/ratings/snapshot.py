"""Ratings at the start of a day (UTC), for publications about the days before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from arena.core.ranking.rating import Rating as Estimate
from arena.ratings import match_log
from arena.ratings.computing import Tally, Versions, compute
from arena.ratings.models import RatingPoint


@dataclass(frozen=True, slots=True)
class RatedSubmission:
    """A submission's rating from the matches before the day."""

    submission: int
    estimate: Estimate
    tally: Tally


def ratings_before(game: str, day: date) -> list[RatedSubmission]:
    """Return ratings by submission, from the matches that had ended by then."""
    results = {one: match_log.results(game, one) for one in match_log.days(game) if one < day}
    computed = compute(results, day, Versions.read(game))
    return [
        RatedSubmission(submission, estimate, computed.tallies[submission])
        for submission, estimate in sorted(computed.ratings.items())
    ]


def points_before(game: str, day: date) -> Iterator[tuple[date, int, float, float, int]]:
    """Return day, submission, rating, deviation and number of matches for every submission that played, on each day
    before this one.
    """
    rows = RatingPoint.objects.filter(submission__bot__game=game, day__lt=day).order_by("day", "submission_id")
    return rows.values_list("day", "submission_id", "value", "deviation", "matches").iterator(chunk_size=5000)
