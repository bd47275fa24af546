"""Common strategies of people and bots, expressed as predictions of one of a player's numbers.

Invariant: a prediction for a round uses only what the player could know: earlier rounds, and the player's other number
in this round. The rules are taken from the course that the game comes from, and from the house bots.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, median
from typing import Final

from arena.games.golden_point.evaluation.disruptors import ABOVE
from arena.games.golden_point.evaluation.golden_match import GoldenMatch
from arena.games.golden_point.rules import RATIO

Predictions = list[float | None]  # by round; None if the rule makes no prediction

_REMEMBERED: Final = 10  # number of rounds averaged in MEAN_OF_TEN
_LINE: Final = 5  # number of rounds used for the linear extrapolation
_QUIET: Final = 5  # number of rounds in which the golden number must have been calm
_CALM: Final = 0.1  # maximum relative distance of a calm golden number from the mean of these rounds


class Rule(StrEnum):
    """A rule that a number may follow. Simpler rules come first and win ties."""

    FIXED = "fixed"  # the player's previous number
    LAST = "last"  # the last golden number
    LAST_TIMES_RATIO = "last_times_ratio"  # 0.618 of the last golden number
    MEAN_OF_TEN = "mean_of_ten"  # the mean of the last ten golden numbers
    TREND = "trend"  # linear extrapolation of the last two golden numbers
    LINE = "line"  # linear extrapolation of the last five golden numbers
    REPLY = "reply"  # the number that becomes golden if the others repeat theirs
    COUNTER = "counter"  # the last golden number plus the effect of the player's own number above 50
    CALM = "calm"  # disrupts while the golden number is calm, otherwise follows it
    SCALED = "scaled"  # the last golden number times a player-specific constant
    DISRUPTS = "disrupts"  # a number above 50
    RANDOM = "random"  # unpredictable numbers that are far apart
    NONE = "none"  # no known rule


@dataclass(frozen=True, slots=True)
class SharedData:
    """The data shared by all players' predictions.

    It comprises the golden number of each round, the sum and count of all numbers played in the round, and how many
    numbers a player plays per round.
    """

    goldens: tuple[float, ...]
    totals: tuple[float, ...]
    counts: tuple[int, ...]
    numbers: int
    shared: dict[Rule, Predictions]

    @classmethod
    def from_match(cls, match: GoldenMatch) -> SharedData:
        goldens = match.golden_numbers
        totals = tuple(math.fsum(x for own in each.numbers for x in own or ()) for each in match.rounds)
        counts = tuple(each.number_count for each in match.rounds)
        return cls(goldens, totals, counts, match.numbers_per_player(), _predictions_from_golden_numbers(goldens))


def predictions(match: GoldenMatch, known: SharedData, player: int) -> list[dict[Rule, Predictions]]:
    """Return every rule's predictions for a player's first and second numbers, round by round."""
    replies = _best_replies(match, known, player)
    return [
        {
            Rule.FIXED: _last_played_numbers(named),
            **known.shared,
            Rule.REPLY: replies,
            Rule.COUNTER: _predict_own_disruption(match, known, player, which),
            Rule.CALM: _predict_calm_disruptor(match, known, player, named),
            Rule.SCALED: _scale_last_golden_number(named, known.shared[Rule.LAST]),
        }
        for which in range(known.numbers)
        for named in [numbers_of(match, player, which)]
    ]


def numbers_of(match: GoldenMatch, player: int, which: int) -> Predictions:
    """Return a player's first or second number in each round, or None where there was no such number."""
    return [None if (own := each.numbers[player]) is None or len(own) <= which else own[which] for each in match.rounds]


def constant_of(rule: Rule, named: Predictions, last: Predictions) -> float | None:
    """Return the player's own constant in a rule; None for a rule without one.

    It is the player's usual number, or the usual multiple of the last golden number. ``named``: the player's numbers;
    ``last``: for each round, the golden number of the previous round.
    """
    if rule in (Rule.FIXED, Rule.DISRUPTS):
        values = [x for x in named if x is not None]
        return median(values) if values else None
    return _median_ratio(named, last) if rule is Rule.SCALED else None


def _predictions_from_golden_numbers(goldens: Sequence[float]) -> dict[Rule, Predictions]:
    if not goldens:
        return {rule: [] for rule in (Rule.LAST, Rule.LAST_TIMES_RATIO, Rule.MEAN_OF_TEN, Rule.TREND, Rule.LINE)}
    before = [goldens[:at] for at in range(1, len(goldens))]
    return {
        Rule.LAST: [None, *goldens[:-1]],
        Rule.LAST_TIMES_RATIO: [None, *(RATIO * golden for golden in goldens[:-1])],
        Rule.MEAN_OF_TEN: [None, *(fmean(past[-_REMEMBERED:]) for past in before)],
        Rule.TREND: [None, *(_extrapolate(past[-2:]) for past in before)],
        Rule.LINE: [None, *(_extrapolate(past[-_LINE:]) for past in before)],
    }


def _extrapolate(values: Sequence[float]) -> float | None:
    """Fit a least-squares line to values at 0, 1, 2, ... and extrapolate it by one step; None for fewer than two."""
    count = len(values)
    if count < 2:
        return None
    middle = (count - 1) / 2
    spread = (count**3 - count) / 12
    slope = sum((place - middle) * value for place, value in enumerate(values)) / spread
    return fmean(values) + slope * (count - middle)


def _last_played_numbers(named: Predictions) -> Predictions:
    """Return, for each round, the most recent number played before it, however long ago."""
    found: Predictions = []
    last: float | None = None
    for number in named:
        found.append(last)
        last = last if number is None else number
    return found


def _best_replies(match: GoldenMatch, known: SharedData, player: int) -> Predictions:
    """Return the best replies if the others repeat their numbers; the player's own numbers above 50 stay fixed."""
    found: Predictions = [None]
    for at in range(1, len(match.rounds)):
        own, past = match.rounds[at].numbers[player], match.rounds[at - 1].numbers[player] or ()
        total, count = known.totals[at - 1] - sum(past), known.counts[at - 1] - len(past)
        if own is None or not count:
            found.append(None)
            continue
        high = [x for x in own if x > ABOVE]
        aimed = max(len(own) - len(high), 1)
        found.append(RATIO * (total + sum(high)) / (count + len(high) + aimed - RATIO * aimed))
    return found[: len(match.rounds)]


def _predict_own_disruption(match: GoldenMatch, known: SharedData, player: int, which: int) -> Predictions:
    """Return the last golden number plus the predicted effect of the player's other number.

    The prediction is None in rounds in which the other number is not above 50.
    """
    found: Predictions = [None]
    for at in range(1, len(match.rounds)):
        own = match.rounds[at].numbers[player]
        big = own[1 - which] if own is not None and len(own) == 2 else 0.0
        found.append(known.goldens[at - 1] + RATIO * big / known.counts[at] if big > ABOVE else None)
    return found[: len(match.rounds)]


def _predict_calm_disruptor(match: GoldenMatch, known: SharedData, player: int, named: Predictions) -> Predictions:
    """Predict the course's calm disruptor.

    After calm rounds, it plays its large number and the golden number that this produces; otherwise, it plays the last
    golden number and the mean of the last five.
    """
    large = [x for each in match.rounds for x in each.numbers[player] or () if x > ABOVE]
    if not large:
        return [None] * len(named)
    high, throws = median(large), any(x is not None and x > ABOVE for x in named)
    found: Predictions = [None]
    for at in range(1, len(named)):
        recent = known.goldens[max(at - _QUIET, 0) : at]
        mean = fmean(recent)
        if len(recent) == _QUIET and all(abs(golden - mean) <= _CALM * mean for golden in recent):
            found.append(high if throws else recent[-1] + RATIO * high / known.counts[at])
        else:
            found.append(mean if throws and known.numbers > 1 else recent[-1])
    return found[: len(named)]


def _scale_last_golden_number(named: Predictions, last: Predictions) -> Predictions:
    multiple = _median_ratio(named, last)
    return [None if golden is None or multiple is None else multiple * golden for golden in last]


def _median_ratio(named: Predictions, last: Predictions) -> float | None:
    """Return the median ratio of the player's number to the last golden number; None without such ratios."""
    ratios = [x / golden for x, golden in zip(named, last, strict=True) if x is not None and golden]
    return median(ratios) if ratios else None
