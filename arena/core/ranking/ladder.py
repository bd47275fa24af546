"""Whom a ladder pairs next: those of whose difference a match tells most.

Invariants: the same candidates give the same pairings; everybody is in one pairing at most; what was paired and is
not rated yet counts as if it had been played, so a pair is not chosen again and again meanwhile.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from arena.core.ranking.rating import PER_NEPER, Rating, information

LEAST_GAIN: Final = 0.002  # nats: two deviations of 15 points; below that a match is not worth its time


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody in the pool; ``pending`` matches of whom are paired or played and not rated yet."""

    entry: int
    rating: Rating
    pending: int = 0

    @property
    def expected(self) -> Rating:
        """The rating as it will be known after the pending matches, as if each were against a known equal."""
        if not self.pending:
            return self.rating
        precision = (PER_NEPER / self.rating.deviation) ** 2 + self.pending / 4
        return Rating(self.rating.value, PER_NEPER / math.sqrt(precision))


def pairs(candidates: Sequence[Candidate], most: int) -> list[tuple[int, int]]:
    """At most so many pairs of entries, the most informative first; none that tells too little."""
    expected = {candidate.entry: candidate.expected for candidate in candidates}
    gains = sorted(
        (-information(expected[one], expected[other]), one, other) for one, other in combinations(sorted(expected), 2)
    )
    found: list[tuple[int, int]] = []
    busy: set[int] = set()
    for gain, one, other in gains:
        if -gain < LEAST_GAIN or len(found) >= most:
            break
        if busy.isdisjoint((one, other)):
            found.append((one, other))
            busy.update((one, other))
    return found


def table(candidates: Sequence[Candidate], seats: int) -> tuple[int, ...]:
    """The most informative pair and those who add most to it, at most so many; () where there is no such pair."""
    first = pairs(candidates, 1)
    if not first:
        return ()
    expected = {candidate.entry: candidate.expected for candidate in candidates}
    found = list(first[0])
    while len(found) < min(seats, len(expected)):
        rest = sorted(entry for entry in expected if entry not in found)
        found.append(max(rest, key=lambda entry: _gain(entry, found, expected)))
    return tuple(found)


def _gain(entry: int, seated: Sequence[int], expected: Mapping[int, Rating]) -> float:
    return math.fsum(information(expected[entry], expected[other]) for other in seated)
