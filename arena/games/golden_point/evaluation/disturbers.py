"""Find disturbers: numbers above 50, which rarely win and raise the golden number for everybody.

The theory: among ``count`` numbers, a number ``n`` contributes ``0.618 n / count`` to the golden number. If the others
repeat their numbers, the golden number rises by that amount. If a player disturbs round after round, the reference is
the golden number of the previous round without the disturbers' own contributions.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from arena.games.golden_point.evaluation.game import PlayedGame, PlayedRound
from arena.games.golden_point.rules import RATIO

ABOVE: Final = 50.0  # the largest possible golden number is 61.8


@dataclass(frozen=True, slots=True)
class Disturber:
    """A number above 50, and its contribution to the golden number."""

    player: int
    number: float
    share: float


@dataclass(frozen=True, slots=True)
class Disturbance:
    """A round with disturbers.

    ``at``: the index of the round; ``before``: the previous golden number, None in the first round;
    ``disturbed_before``: the disturbers' contribution to it; ``without``: this round's golden number without the
    disturbers, None if there were only disturbers.
    """

    at: int
    golden: float
    before: float | None
    disturbed_before: float
    without: float | None
    disturbers: tuple[Disturber, ...]

    @property
    def jump(self) -> float | None:
        """Return how far the golden number exceeds the undisturbed part of the previous one."""
        return None if self.before is None else self.golden - (self.before - self.disturbed_before)

    @property
    def theory(self) -> float:
        """Return the predicted rise: the contributions of all disturbers."""
        return math.fsum(each.share for each in self.disturbers)


def disturbances(game: PlayedGame) -> list[Disturbance]:
    """Return the rounds with disturbers, oldest first."""
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
