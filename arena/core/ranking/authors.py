"""Keep bots of one author from being compared with each other, so that nobody can rate a bot up with another one.

``authors`` gives the author of an entry. An entry without one (a house bot) is compared with everybody.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arena.core.ranking.rating import RatedResult


@dataclass(frozen=True, slots=True)
class Authors:
    """The authors of entries."""

    of: Mapping[int, int]

    def share(self, one: int, other: int) -> bool:
        """Whether the two belong to one author; an entry shares its author with itself."""
        return one == other or (one in self.of and self.of[one] == self.of.get(other))

    def compete(self, entries: Sequence[int]) -> bool:
        """Whether any two of them have different authors."""
        return any(not self.share(entries[0], other) for other in entries[1:])

    def contests(self, results: Mapping[RatedResult, int]) -> dict[RatedResult, int]:
        """The results without those of one author's bots among themselves."""
        return {result: often for result, often in results.items() if self.compete(result.entries)}

    def comparisons(self, results: Mapping[RatedResult, int]) -> dict[RatedResult, float]:
        """The same results in terms of entries of different authors.

        A table at which an author has several entries, ``n`` at most, becomes ``n`` tables that count for 1/n each.
        Every author has one entry at each of them, taken in turns in the order of the seats. Leaving entries out of a
        ranking keeps the chances between the others under Plackett and Luce, so that no rating is distorted.
        """
        found: dict[RatedResult, float] = {}
        split = []
        for result, often in self.contests(results).items():
            if len(result.entries) > 2 and self._most(result.entries) > 1:
                split.append((result, often))
            else:
                found[result] = often
        for result, often in sorted(split):  # fractions add up to the same in one order only
            tables = self._tables(result)
            for table in tables:
                found[table] = found.get(table, 0) + often / len(tables)
        return found

    def _most(self, entries: Sequence[int]) -> int:
        return max(len(places) for places in self._places(entries))

    def _places(self, entries: Iterable[int]) -> list[list[int]]:
        """The places of each author's entries; those without an author have one each."""
        found: dict[tuple[str, int], list[int]] = defaultdict(list)
        for place, entry in enumerate(entries):
            found[("author", self.of[entry]) if entry in self.of else ("entry", entry)].append(place)
        return list(found.values())

    def _tables(self, result: RatedResult) -> list[RatedResult]:
        places = self._places(result.entries)
        turns = [sorted(own[turn % len(own)] for own in places) for turn in range(self._most(result.entries))]
        entries, ranks = result.entries, result.ranks
        return [
            RatedResult(tuple(entries[place] for place in turn), tuple(ranks[place] for place in turn))
            for turn in turns
        ]
