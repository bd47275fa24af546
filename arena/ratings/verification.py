"""Verify the stored ratings by recomputing them from the match log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from arena.core.ranking.rating import Rating as Estimate
from arena.ratings import match_log
from arena.ratings.computation import ComputedRatings, GameVersions, MatchTally, compute
from arena.ratings.match_log import FIRST_DAY, DayLog
from arena.ratings.models import RatedDay, Rating, RatingPoint

_TOLERANCE: Final = 1e-6  # rating points: another machine may round the last digits differently


def rating_differences(game: str) -> list[str]:
    """Return how stored and recomputed ratings differ, in English for operators; empty if the ratings are correct.

    Matches that ended after the last refresh also count as differences.
    """
    days = {row.day: DayLog(row.matches, row.checksum) for row in RatedDay.objects.filter(game=game)}
    if days != match_log.daily_logs(game):
        return ["the match log has changed since the ratings were computed: wait for the next minute, or rebuild"]
    computed = compute({day: match_log.results_of_day(game, day) for day in days}, FIRST_DAY, GameVersions.read(game))
    return [*_rating_differences(game, computed), *_point_differences(game, computed)]


def _rating_differences(game: str, computed: ComputedRatings) -> Iterator[str]:
    stored = {f"submission {row.submission_id}": _compared_values(row, row) for row in Rating.objects.filter(game=game)}
    expected = {
        f"submission {submission}": _compared_values(rating, computed.tallies[submission])
        for submission, rating in computed.ratings.items()
    }
    yield from _compare_rows(stored, expected)


def _compared_values(rating: Rating | Estimate, tally: Rating | MatchTally) -> tuple[float, ...]:
    counts = (tally.wins, tally.draws, tally.losses, tally.mean_rank or 0.0, tally.mean_seats or 0.0)
    return (rating.value, rating.deviation, *counts)


def _point_differences(game: str, computed: ComputedRatings) -> Iterator[str]:
    rows = RatingPoint.objects.filter(submission__bot__game=game)
    stored = {f"submission {row.submission_id} on {row.day}": (row.value, row.deviation, row.matches) for row in rows}
    expected = {
        f"submission {submission} on {day}": tuple(figures) for submission, day, *figures in computed.point_rows()
    }
    yield from _compare_rows(stored, expected)


def _compare_rows(stored: Mapping[str, tuple[float, ...]], expected: Mapping[str, tuple[float, ...]]) -> Iterator[str]:
    for name in sorted({*stored, *expected}):
        have, want = stored.get(name), expected.get(name)
        if have is None or want is None or not _is_close(have, want):
            yield f"{name}: stored {have}, computed {want}"


def _is_close(have: tuple[float, ...], want: tuple[float, ...]) -> bool:
    return all(abs(one - other) <= _TOLERANCE for one, other in zip(have, want, strict=True))
