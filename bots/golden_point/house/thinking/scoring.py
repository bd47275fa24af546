"""Compute what a seat would have gained in a round."""

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

RATIO = 0.618
FARTHEST_LOSES = 2


@dataclass(frozen=True, slots=True)
class OthersNumbers:
    """The other seats' numbers in one round, in ascending order; ``seats``: how many seats played them."""

    numbers: tuple[float, ...]
    total: float
    seats: int

    @classmethod
    def collect(cls, played: Sequence[Sequence[float]]) -> "OthersNumbers":
        """Create the object from the numbers of each other seat that is still playing."""
        numbers = tuple(sorted(number for own in played for number in own))
        return cls(numbers, fsum(numbers), len(played))

    def distance_to_nearest(self, golden: float) -> float:
        """Return the distance from ``golden`` to the nearest number; infinite if there are no numbers."""
        place = bisect(self.numbers, golden)
        return min(
            (abs(number - golden) for number in self.numbers[max(place - 1, 0) : place + 1]), default=float("inf")
        )

    def distance_to_farthest(self, golden: float) -> float:
        """Return the distance from ``golden`` to the farthest number; -1 if there are no numbers."""
        return max((abs(number - golden) for number in (*self.numbers[:1], *self.numbers[-1:])), default=-1.0)


def gain(own: Sequence[float], others: OthersNumbers) -> int:
    """Return the points that a seat gains with its numbers ``own`` against the others' numbers."""
    if not others.seats:
        return 0
    golden = RATIO * ((others.total + fsum(own)) / (len(others.numbers) + len(own)))
    distances = [abs(number - golden) for number in own]
    nearest, farthest = others.distance_to_nearest(golden), others.distance_to_farthest(golden)
    won = others.seats + 1 if min(distances) <= nearest else 0
    if max(distances) >= farthest and max(*distances, farthest) > min(*distances, nearest):
        return won - FARTHEST_LOSES
    return won
