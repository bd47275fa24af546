"""Find disturbers: numbers above 50, which hardly win and lift the golden number for everybody.

The theory: among ``count`` numbers, a number ``n`` makes up ``0.618 n / count`` of the golden number. Where the others
name what they named before, the golden number jumps by as much above what they had made it. Where somebody disturbs
round after round, that is less than the golden number of the round before, by the shares of its own disturbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from arena.games.golden_point.evaluation.game import PlayedGame, PlayedRound
from arena.games.golden_point.rules import RATIO

ABOVE: Final = 50.0  # 61.8 is the largest golden number there can be


@dataclass(frozen=True, slots=True)
class Disturber:
    """A number above 50, and the share of the golden number that it makes up."""

    player: int
    number: float
    share: float


@dataclass(frozen=True, slots=True)
class Disturbance:
    """A round with such numbers. ``at`` is its index; ``before`` is the golden number of the round before, and
    ``disturbed_before`` what disturbers made up of it; ``without`` is the golden number of this round had nobody named
    them. ``before`` and ``without`` are None where there is none."""

    at: int
    golden: float
    before: float | None
    disturbed_before: float
    without: float | None
    disturbers: tuple[Disturber, ...]

    @property
    def jump(self) -> float | None:
        """By how much the golden number lies above the undisturbed part of the one before."""
        return None if self.before is None else self.golden - (self.before - self.disturbed_before)

    @property
    def theory(self) -> float:
        """By how much it rises according to the theory: the shares of all these numbers."""
        return math.fsum(each.share for each in self.disturbers)


def disturbances(game: PlayedGame) -> list[Disturbance]:
    """The rounds in which somebody disturbs, oldest first."""
    return list(_disturbances(game))


def _disturbances(game: PlayedGame) -> Iterator[Disturbance]:
    before: float | None = None
    disturbed_before = 0.0
    for at, each in enumerate(game.rounds):
        count = each.count
        found = tuple(
            Disturber(player, x, RATIO * x / count)
            for player, own in enumerate(each.numbers)
            for x in own or ()
            if x > ABOVE
        )
        if found:
            yield Disturbance(at, each.golden, before, disturbed_before, _without(each), found)
        before, disturbed_before = each.golden, math.fsum(one.share for one in found)


def _without(each: PlayedRound) -> float | None:
    rest = [x for own in each.numbers for x in own or () if x <= ABOVE]
    return RATIO * (math.fsum(rest) / len(rest)) if rest else None
