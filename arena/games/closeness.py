"""Estimate from the scores of a running match how close it is, for screens that choose which match to show."""

from __future__ import annotations

from collections.abc import Sequence


def closeness(scores: Sequence[float], *, decisive: float, progress: float) -> float:
    """Return how close the match is, from 0 (a lead of at least ``decisive`` points) to 1 (level scores at the end).

    The lead is that of the best seat over the second best. Level scores at the start give 0.5, because nothing has
    happened yet. ``progress``: from 0 at the start to 1 at the end.
    """
    best, second = sorted(scores, reverse=True)[:2]
    undecided = max(0.0, 1 - (best - second) / decisive)
    return undecided * (1 + min(1.0, max(0.0, progress))) / 2
