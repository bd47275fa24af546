"""What a seat would have gained in a round: the rules of the golden point, from one seat's side."""

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

RATIO = 0.618
FARTHEST_LOSES = 2


@dataclass(frozen=True, slots=True)
class Others:
    """The numbers of all other seats in one round, ascending; ``seats``: how many seats played them."""

    numbers: tuple[float, ...]
    total: float
    seats: int

    @classmethod
    def of(cls, played: Sequence[Sequence[float]]) -> "Others":
        """From what each of the other seats played, without those that are out."""
        numbers = tuple(sorted(number for own in played for number in own))
        return cls(numbers, fsum(numbers), len(played))

    def nearest(self, golden: float) -> float:
        """How far from ``golden`` the nearest of them is; infinite without any."""
        place = bisect(self.numbers, golden)
        return min(
            (abs(number - golden) for number in self.numbers[max(place - 1, 0) : place + 1]), default=float("inf")
        )

    def farthest(self, golden: float) -> float:
        """How far from ``golden`` the farthest of them is; -1 without any."""
        return max((abs(number - golden) for number in (*self.numbers[:1], *self.numbers[-1:])), default=-1.0)


def gain(own: Sequence[float], others: Others) -> int:
    """The points of a seat that plays ``own`` at a table with these others."""
    if not others.seats:
        return 0
    golden = RATIO * ((others.total + fsum(own)) / (len(others.numbers) + len(own)))
    distances = [abs(number - golden) for number in own]
    nearest, farthest = others.nearest(golden), others.farthest(golden)
    won = others.seats + 1 if min(distances) <= nearest else 0
    if max(distances) >= farthest and max(*distances, farthest) > min(*distances, nearest):
        return won - FARTHEST_LOSES
    return won
