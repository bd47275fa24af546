"""Compute regret, the points that a player missed out on: in each round, or compared with the best single number.

The regret of a round is the gain of the best reply minus the actual gain. The best reply gains N points, where N is the
number of players in the round (see ``best_reply``). The curve adds up the regrets so far; rounds in which a player was
absent or alone add nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from arena.games.golden_point.evaluation.best_reply import (
    BestReplies,
    best_gain,
    best_replies_among,
    sorted_numbers,
)
from arena.games.golden_point.evaluation.golden_match import GoldenMatch
from arena.games.golden_point.rules import FARTHEST_LOSES, MAX_NUMBER, MIN_NUMBER


@dataclass(frozen=True, slots=True)
class SingleNumber:
    """The best single number of a match in hindsight: its score, and the interval of equally good numbers."""

    number: float
    score: int
    low: float
    high: float


def regret_curve(match: GoldenMatch, player: int) -> list[int]:
    """Return, for every round, how many more points the best replies up to that round would have gained."""
    return list(accumulate(best_gain(each, player) - each.score.gains[player] for each in match.rounds))


def mean_regret(match: GoldenMatch) -> list[float]:
    """Return, for every round, the mean regret of its players."""
    return [
        each.player_count * (each.player_count > 1) - sum(each.score.gains) / each.player_count for each in match.rounds
    ]


def regret_against_mean(match: GoldenMatch, player: int, mean: Sequence[float]) -> list[float]:
    """Return the player's regret curve minus that of the average player. ``mean``: see ``mean_regret``.

    Only rounds in which the player was present count. A negative value means that the player missed out on less than
    average.
    """
    missed = (
        0.0 if each.numbers[player] is None else best_gain(each, player) - each.score.gains[player] - average
        for each, average in zip(match.rounds, mean, strict=True)
    )
    return list(accumulate(missed))


def best_single_numbers(match: GoldenMatch) -> list[SingleNumber | None]:
    """Return the best constant number for each player; None for a player who never had an opponent.

    The constant number replaces all of the player's numbers in every round, while the others' numbers remain the same.

    In every round, a single number wins N points within an interval and loses 2 points outside a wider one. The sum
    over all rounds changes only at the bounds of these intervals, which are sorted and scanned once: O(n log n) per
    player for n rounds.
    """
    found: list[list[tuple[int, BestReplies]]] = [[] for _ in match.players]
    for each in match.rounds:
        everybody, present = sorted_numbers(each), each.player_count
        total = math.fsum(everybody)
        for player, own in enumerate(each.numbers):
            if own is not None and present > 1:
                found[player].append((present, best_replies_among(everybody, total, own)))
    return [_best_interval(rounds) if rounds else None for rounds in found]


def _best_interval(rounds: Sequence[tuple[int, BestReplies]]) -> SingleNumber:
    """Return the interval with the best score, and its midpoint; if several have that score, the widest.

    The score of a single number is piecewise constant, so one score per interval between breakpoints is enough.
    """
    changes: dict[float, int] = {MIN_NUMBER: 0, MAX_NUMBER: 0}
    for at, change in _score_changes(rounds):
        changes[at] = changes.get(at, 0) + change
    bounds = sorted(changes)
    scores = list(accumulate(changes[at] for at in bounds))
    stretches = zip(scores[:-1], bounds[:-1], bounds[1:], strict=True)
    score, low, high = max(stretches, key=lambda each: (each[0], each[2] - each[1]))
    return SingleNumber((low + high) / 2, score, low, high)


def _score_changes(rounds: Iterable[tuple[int, BestReplies]]) -> Iterable[tuple[float, int]]:
    """Yield each point from 0 to 100 at which the score of a single number changes, with the amount of the change."""
    for present, reply in rounds:
        yield MIN_NUMBER, -FARTHEST_LOSES
        yield reply.too_low, FARTHEST_LOSES
        yield reply.low, present
        yield reply.high, -present
        yield reply.too_high, -FARTHEST_LOSES
