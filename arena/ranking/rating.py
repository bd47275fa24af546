"""Strength from results alone, whatever their order: the Bradley-Terry model.

The chance that i beats j is g(i) / (g(i) + g(j)). The strengths g are the most probable ones, found by
the minorization-maximization of D. R. Hunter, "MM algorithms for generalized Bradley-Terry models",
The Annals of Statistics 32 (2004), equation 3, updated one after another (his cyclic version). A tie is
half a win. A match of n seats counts as its n (n - 1) / 2 comparisons, each weighted 1 / (n - 1), so that
every seat brings the weight of one match. The prior is a pair of virtual matches of everybody against an
average opponent, one won and one lost: it keeps the strength of the unbeaten finite.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Final

CENTRE: Final = 1500.0
_PER_NEPER: Final = 400 / math.log(10)  # Elo: 400 points are odds of ten to one
_PRIOR_MATCHES: Final = 2.0
_PRECISION: Final = 1e-6  # of the logarithm of a strength: far below a hundredth of a rating point
_MOST_ITERATIONS: Final = 3_000
_LEVEL_STEPS: Final = 3  # of Newton, in every iteration


@dataclass(frozen=True, slots=True, order=True)
class RatedResult:
    """One match: who sat in it and their ranks, 1 is best, equals share the better."""

    entries: tuple[int, ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rating:
    """Points on the Elo scale; the mean of all is 1500.

    ``deviation``: the standard error in points, from the curvature of the likelihood in this entry's
    strength with the others held fixed; it leaves out that they are uncertain, too.
    """

    value: float
    deviation: float


def rate(results: Iterable[RatedResult]) -> dict[int, Rating]:
    """The rating of every entry that occurs; the same for any order of the results."""
    wins, matches = _comparisons(sorted(results))
    if not wins:
        return {}
    logs = _strengths(wins, matches)
    mean = math.fsum(logs.values()) / len(logs)
    return {
        entry: Rating(CENTRE + _PER_NEPER * (log - mean), _PER_NEPER * _standard_error(entry, logs, matches[entry]))
        for entry, log in sorted(logs.items())
    }


def _comparisons(results: list[RatedResult]) -> tuple[dict[int, float], dict[int, dict[int, float]]]:
    """Weighted wins by entry, and weighted matches by entry and opponent."""
    wins: dict[int, float] = defaultdict(float)
    matches: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for result in results:
        if len(result.entries) < 2:
            continue
        weight = 1 / (len(result.entries) - 1)
        for (one, rank), (other, other_rank) in combinations(zip(result.entries, result.ranks, strict=True), 2):
            share = 0.5 if rank == other_rank else float(rank < other_rank)
            wins[one] += weight * share
            wins[other] += weight * (1 - share)
            matches[one][other] += weight
            matches[other][one] += weight
    return wins, matches


def _strengths(wins: dict[int, float], matches: dict[int, dict[int, float]]) -> dict[int, float]:
    """The logarithm of every strength; that of the average opponent is 0."""
    strengths = dict.fromkeys(sorted(wins), 1.0)
    opponents = {entry: sorted(matches[entry].items()) for entry in strengths}
    for _ in range(_MOST_ITERATIONS):
        before = dict(strengths)
        for entry, old in before.items():
            expected = _PRIOR_MATCHES / (old + 1)
            for opponent, weight in opponents[entry]:
                expected += weight / (old + strengths[opponent])
            strengths[entry] = (wins[entry] + _PRIOR_MATCHES / 2) / expected
        shift = _level(strengths)
        strengths = {entry: strength * shift for entry, strength in strengths.items()}
        if max(abs(math.log(strengths[entry] / old)) for entry, old in before.items()) < _PRECISION:
            break
    return {entry: math.log(strength) for entry, strength in strengths.items()}


def _level(strengths: dict[int, float]) -> float:
    """The factor for all strengths with which everybody together wins half of the virtual matches.

    Only the prior sets the common level, and by itself it would pull it there very slowly.
    """
    shift = 0.0
    for _ in range(_LEVEL_STEPS):
        chances = [1 / (1 + math.exp(-shift) / strength) for strength in strengths.values()]
        excess = math.fsum(chances) - len(chances) / 2
        shift -= excess / math.fsum(chance * (1 - chance) for chance in chances)
    return math.exp(shift)


def _standard_error(entry: int, logs: dict[int, float], opponents: dict[int, float]) -> float:
    """In nepers, the unit of the logarithms."""
    information = _PRIOR_MATCHES * _variance(logs[entry])
    for opponent, weight in opponents.items():
        information += weight * _variance(logs[entry] - logs[opponent])
    return 1 / math.sqrt(information)


def _variance(difference: float) -> float:
    """Of the outcome of one match between strengths that differ so much."""
    return 1 / (2 + math.exp(difference) + math.exp(-difference))
