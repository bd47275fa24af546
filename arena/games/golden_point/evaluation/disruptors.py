"""Find disruptors: numbers above 50, which rarely win and raise the golden number for everybody.

The theory: among ``count`` numbers, a number ``n`` contributes ``0.618 n / count`` to the golden number. If the others
repeat their numbers, the golden number rises by that amount. If a player disrupts round after round, the reference is
the golden number of the previous round without the disruptors' own contributions.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from arena.games.golden_point.evaluation.golden_match import GoldenMatch, GoldenRound
from arena.games.golden_point.rules import RATIO

ABOVE: Final = 50.0  # the largest possible golden number is 61.8


@dataclass(frozen=True, slots=True)
class Disruptor:
    """A number above 50, and its contribution to the golden number."""

    player: int
    number: float
    share: float


@dataclass(frozen=True, slots=True)
class Disruption:
    """A round with disruptors.

    ``at``: the index of the round; ``before``: the previous golden number, None in the first round;
    ``disrupted_before``: the part of that number that the disruptors of its round contributed; ``without``: this
    round's golden number without the disruptors, None if there were only disruptors.
    """

    at: int
    golden: float
    before: float | None
    disrupted_before: float
    without: float | None
    disruptors: tuple[Disruptor, ...]

    @property
    def jump(self) -> float | None:
        """Return how far the golden number exceeds the previous one's undisrupted part; None in the first round."""
        return None if self.before is None else self.golden - (self.before - self.disrupted_before)

    @property
    def predicted_jump(self) -> float:
        """Return the predicted rise of the golden number: the sum of the disruptors' contributions."""
        return math.fsum(each.share for each in self.disruptors)


def disruptions(match: GoldenMatch) -> list[Disruption]:
    """Return the rounds with disruptors, oldest first."""
    return list(_disruptions(match))


def _disruptions(match: GoldenMatch) -> Iterator[Disruption]:
    before: float | None = None
    disrupted_before = 0.0
    for at, each in enumerate(match.rounds):
        count = each.number_count
        found = tuple(
            Disruptor(player, x, RATIO * x / count)
            for player, own in enumerate(each.numbers)
            for x in own or ()
            if x > ABOVE
        )
        if found:
            yield Disruption(
                at, each.golden_number, before, disrupted_before, _golden_number_without_disruptors(each), found
            )
        before, disrupted_before = each.golden_number, math.fsum(one.share for one in found)


def _golden_number_without_disruptors(each: GoldenRound) -> float | None:
    rest = [x for own in each.numbers for x in own or () if x <= ABOVE]
    return RATIO * (math.fsum(rest) / len(rest)) if rest else None
