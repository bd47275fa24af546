"""Exclude comparisons between bots by the same author, so nobody can use one bot to raise another's rating."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arena.core.ranking.rating import RatedResult


@dataclass(frozen=True, slots=True)
class Authors:
    """The author of each entry; an entry that is missing from ``of`` has none."""

    of: Mapping[int, int]

    def have_same_author(self, one: int, other: int) -> bool:
        """Return whether two entries have the same author; always true for an entry and itself."""
        return one == other or (one in self.of and self.of[one] == self.of.get(other))

    def have_different_authors(self, entries: Sequence[int]) -> bool:
        """Return whether at least two of the entries have different authors."""
        return any(not self.have_same_author(entries[0], other) for other in entries[1:])

    def contested_results(self, results: Mapping[RatedResult, int]) -> dict[RatedResult, int]:
        """Return the results of matches between bots by at least two authors."""
        return {result: often for result, often in results.items() if self.have_different_authors(result.entries)}

    def comparable_results(self, results: Mapping[RatedResult, int]) -> dict[RatedResult, float]:
        """Return the results, split so that each compares only entries by different authors.

        A table is split into ``n`` tables that count 1/n each, where ``n`` is the largest number of its entries by one
        author. Each table has one entry per author: the author's entries fill the tables in turn, in seat order.
        Omitting entries from a ranking preserves the odds between the others under the Plackett-Luce model, so ratings
        are not distorted.
        """
        found: dict[RatedResult, float] = {}
        split = []
        for result, often in self.contested_results(results).items():
            if len(result.entries) > 2 and self._max_entries_per_author(result.entries) > 1:
                split.append((result, often))
            else:
                found[result] = often
        for result, often in sorted(split):  # sorted, because a floating-point sum depends on the order
            tables = self._split_table(result)
            for table in tables:
                found[table] = found.get(table, 0) + often / len(tables)
        return found

    def _max_entries_per_author(self, entries: Sequence[int]) -> int:
        return max(len(own) for own in self._indices_by_author(entries))

    def _indices_by_author(self, entries: Iterable[int]) -> list[list[int]]:
        """Group the indices of ``entries`` by author; each entry without an author forms a separate group."""
        found: dict[tuple[str, int], list[int]] = defaultdict(list)
        for index, entry in enumerate(entries):
            found[("author", self.of[entry]) if entry in self.of else ("entry", entry)].append(index)
        return list(found.values())

    def _split_table(self, result: RatedResult) -> list[RatedResult]:
        by_author = self._indices_by_author(result.entries)
        turns = [
            sorted(own[turn % len(own)] for own in by_author)
            for turn in range(self._max_entries_per_author(result.entries))
        ]
        entries, ranks = result.entries, result.ranks
        return [
            RatedResult(tuple(entries[index] for index in turn), tuple(ranks[index] for index in turn))
            for turn in turns
        ]
