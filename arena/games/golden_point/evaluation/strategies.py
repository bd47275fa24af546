"""Detect strategies: which rule a player's numbers follow, how well, and over which rounds.

Every rule predicts each number. Closeness is 1 for an exact prediction and falls to 0 at an error of one tenth of the
larger number; the score of a rule over some rounds is the mean closeness. A player may switch rules: the rounds are
split into the phases that minimize the sum of misses (1 minus closeness) plus a penalty per change, found in one pass
of the Viterbi algorithm. "No known rule" misses every round by one half, so a rule counts only if it misses by less on
average. A phase that no rule explains is random if its numbers are far apart and do not predict each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import correlation, fmean, quantiles
from typing import Final

from arena.games.golden_point.evaluation.disruptors import ABOVE
from arena.games.golden_point.evaluation.golden_match import GoldenMatch
from arena.games.golden_point.evaluation.rules import (
    Predictions,
    Rule,
    SharedData,
    constant_of,
    numbers_of,
    predictions,
)

OFF: Final = 0.1  # relative error at which a prediction becomes worthless
EXACT: Final = 1e-6  # relative error caused by rounding in text
_UNEXPLAINED: Final = 0.5  # cost of a round that no rule explains
_CHANGE: Final = 3.0  # cost of a rule change: the new rule must explain at least six more rounds
# Additional cost of some rules: a constant fitted to the player's numbers must not win ties against plain rules, and
# half of all random numbers are above 50.
_HANDICAPS: Final[Mapping[Rule, float]] = {Rule.SCALED: 0.02, Rule.CALM: 0.02, Rule.DISRUPTS: 0.2}
_MIN_RANDOM_ROUNDS: Final = 8  # fewer rounds are not classified as random
_FAR_APART: Final = 0.4  # interquartile range relative to the median
_UNRELATED: Final = 0.4  # correlation of successive numbers


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase: rounds from index ``start`` up to ``end``, exclusive, in which a number follows one rule.

    ``score``: from 0 to 1; for RANDOM and NONE, the score of the best rule. ``exact``: the share of rounds that the
    rule predicts to the last printed digit. ``constant``: the player's own constant in FIXED, DISRUPTS and SCALED.
    """

    rule: Rule
    start: int
    end: int
    score: float
    exact: float
    constant: float | None


@dataclass(frozen=True, slots=True)
class Strategy:
    """The strategy behind one of a player's numbers.

    ``named``: the number of rounds in which that number was played.
    """

    named: int
    phases: tuple[Phase, ...]
    scores: Mapping[Rule, float]  # score of each rule over all rounds with a prediction

    @property
    def main_phase(self) -> Phase | None:
        """Return the strategy's longest phase; None for a player without numbers."""
        return max(self.phases, key=lambda phase: phase.end - phase.start, default=None)


def strategies(match: GoldenMatch, known: SharedData, player: int) -> tuple[Strategy, ...]:
    """Return a strategy for a player's first number and, if two are played, another for the second."""
    predicted = predictions(match, known, player)
    return tuple(_strategy(numbers_of(match, player, which), each) for which, each in enumerate(predicted))


def _strategy(named: Predictions, predicted: Mapping[Rule, Predictions]) -> Strategy:
    if not any(number is not None for number in named):
        return Strategy(0, (), {})
    near = {rule: _closeness(named, predicted[rule]) for rule in predicted}
    near[Rule.DISRUPTS] = [None if x is None else float(x > ABOVE) for x in named]
    phases = tuple(
        _phase(rule, start, end, named, predicted, near) for rule, start, end in _cheapest_phases(named, near)
    )
    scores = {rule: fmean(values) for rule, each in near.items() if (values := [x for x in each if x is not None])}
    return Strategy(sum(number is not None for number in named), phases, scores)


def _closeness(named: Predictions, predicted: Predictions) -> Predictions:
    """Return 1 for exact predictions, 0 for errors of at least 10 % of the larger number; None if either is missing."""
    return [
        None
        if x is None or guess is None
        # Inlined, because most of the time is spent here.
        else 1 - error / most
        if (error := abs(x - guess)) < (most := OFF * (x if x > guess else guess))
        else 0.0
        for x, guess in zip(named, predicted, strict=True)
    ]


def _cheapest_phases(named: Predictions, near: Mapping[Rule, Predictions]) -> list[tuple[Rule, int, int]]:
    """Return the phases with the lowest total cost, each as rule, start and end.

    The cost is the sum of misses plus a penalty for each change of rule.
    """
    rules = [Rule.NONE, *near]  # wins if no other rule makes a prediction
    columns = [[0.0 if x is None else _UNEXPLAINED for x in named]]
    columns += [_costs(rule, values, named) for rule, values in near.items()]
    reached = [0.0] * len(rules)
    changed_from: list[list[int]] = []
    for costs in zip(*columns, strict=True):
        cheapest = min(range(len(rules)), key=reached.__getitem__)
        change = reached[cheapest] + _CHANGE
        changed_from.append([cheapest if change < cost else rule for rule, cost in enumerate(reached)])
        reached = [(change if change < before else before) + cost for before, cost in zip(reached, costs, strict=True)]
    at = min(range(len(rules)), key=reached.__getitem__)
    phases: list[tuple[Rule, int, int]] = []
    end = len(named)
    for place in range(len(named) - 1, -1, -1):
        earlier = changed_from[place][at]
        if place == 0 or earlier != at:
            phases.append((rules[at], place, end))
            end = place
        at = earlier
    return phases[::-1]


def _costs(rule: Rule, near: Predictions, named: Predictions) -> list[float]:
    more = _HANDICAPS.get(rule, 0.0)
    return [
        0.0 if x is None else _UNEXPLAINED if value is None else 1 - value + more
        for x, value in zip(named, near, strict=True)
    ]


def _phase(
    rule: Rule,
    start: int,
    end: int,
    named: Predictions,
    predicted: Mapping[Rule, Predictions],
    near: Mapping[Rule, Predictions],
) -> Phase:
    part = slice(start, end)
    if rule is Rule.NONE:
        best = max(_mean(values[part]) for values in near.values())
        kind = Rule.RANDOM if _is_random(named[part]) else Rule.NONE
        return Phase(kind, start, end, 1 - best, 0.0, None)
    exact = _exact_share(named[part], predicted[rule][part]) if rule in predicted else 0.0
    constant = constant_of(rule, named[part], predicted[Rule.LAST][part])
    return Phase(rule, start, end, _mean(near[rule][part]), exact, constant)


def _mean(near: Sequence[float | None]) -> float:
    values = [x for x in near if x is not None]
    return fmean(values) if values else 0.0


def _exact_share(named: Predictions, predicted: Predictions) -> float:
    pairs = [(x, guess) for x, guess in zip(named, predicted, strict=True) if x is not None and guess is not None]
    return sum(abs(x - guess) <= EXACT * x for x, guess in pairs) / len(pairs) if pairs else 0.0


def _is_random(named: Predictions) -> bool:
    values = [x for x in named if x is not None]
    if len(values) < _MIN_RANDOM_ROUNDS:
        return False
    low, middle, high = quantiles(values, n=4)
    return high - low >= _FAR_APART * middle and abs(correlation(values[:-1], values[1:])) < _UNRELATED
