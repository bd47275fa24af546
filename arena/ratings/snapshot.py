"""Ratings at the start of a day (UTC), for exports that cover the days before it.

Invariant: these ratings are computed from the match log, because stored ratings still count a match that has just been
hidden.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from arena.core.ranking.rating import Rating as Estimate
from arena.ratings import match_log
from arena.ratings.computation import ComputedRatings, GameVersions, MatchTally, compute
from arena.ratings.match_log import FIRST_DAY


@dataclass(frozen=True, slots=True)
class RatedSubmission:
    """A submission's rating from the matches before the day of the snapshot."""

    submission: int
    estimate: Estimate
    tally: MatchTally


@dataclass(frozen=True, slots=True)
class RatingsSnapshot:
    """The ratings of a game, and their history."""

    computed: ComputedRatings

    def ratings(self) -> list[RatedSubmission]:
        """Return the rating of each submission, ordered by submission id."""
        return [
            RatedSubmission(submission, estimate, self.computed.tallies[submission])
            for submission, estimate in sorted(self.computed.ratings.items())
        ]

    def points(self) -> Iterator[tuple[date, int, float, float, int]]:
        """Yield day, submission, rating, deviation and matches for each day and each submission that played on it."""
        for points in self.computed.points:
            columns = (points.submissions, points.values, points.deviations, points.matches)
            for submission, *figures in zip(*(column.tolist() for column in columns), strict=True):
                yield points.day, submission, *figures


def snapshot_before(game: str, day: date) -> RatingsSnapshot:
    """Compute the ratings of a game from the matches that ended before the given day."""
    results = {one: match_log.results_of_day(game, one) for one in match_log.daily_logs(game) if one < day}
    return RatingsSnapshot(compute(results, FIRST_DAY, GameVersions.read(game)))
