"""Summarize the matches of a run: the draft's win rate or mean score, with 95 % confidence intervals."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from arena.core.ranking.interval import mean_half_width, wilson_interval
from arena.games.base import Outcome, Scoring
from arena.games.registry import GAMES


def result_of(outcome: Outcome, seat: int) -> dict[str, Any]:
    """Return the result of one match as stored in a run.

    ``score``: 1 for a win, 0 if another seat came first, and 1/n if the seat shared first place with n - 1 others, so
    that a draw between two counts as half; None without opponents.
    """
    own, first = outcome.ranks[seat], min(outcome.ranks)
    return {
        "seat": seat,
        "rank": own,
        "points": outcome.points[seat],
        "score": None if len(outcome.ranks) == 1 else float(own == first) / outcome.ranks.count(first),
    }


def score_summary(
    game: str, games: int, results: Sequence[Mapping[str, Any]], *, failed: bool = False
) -> dict[str, Any]:
    """Return the score so far, for display.

    ``games``: the number of matches in the run; ``failed``: whether a fault of the draft ended the run. In the
    result, ``rate``, ``low`` and ``high`` are None if there are no opponents or results.
    """
    scores = [result["score"] for result in results if result["score"] is not None]
    low, high = wilson_interval(math.fsum(scores), len(scores)) if scores else (None, None)
    scored = GAMES[game].scoring is Scoring.SCORED
    points = [float(result["points"]) for result in results] if scored else []
    return {
        "games": games,
        "failed": failed,
        "played": len(results),
        "won": sum(score == 1 for score in scores),
        "lost": sum(score == 0 for score in scores),
        "rate": math.fsum(scores) / len(scores) if scores else None,
        "low": low,
        "high": high,
        "mean": statistics.fmean(points) if points else None,
        "half": mean_half_width(points),
    }
