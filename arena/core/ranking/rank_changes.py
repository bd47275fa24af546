"""Compare earlier and later standings to find the entries that gained or lost places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.core.ranking.standings import StandingsRow


@dataclass(frozen=True, slots=True)
class RankChange:
    """A change of an entry's rank. ``gained``: number of places gained; negative if it lost places."""

    entry: int
    gained: int


def places_gained(before: Sequence[StandingsRow], now: Sequence[StandingsRow]) -> dict[int, int]:
    """Return how many places each entry gained.

    Entries that had not played before, or that have no rank in one of the two standings, are omitted.
    """
    old = {row.entry: row.rank for row in before if row.rank is not None and row.played}
    return {
        row.entry: previous - row.rank
        for row in now
        if row.rank is not None and (previous := old.get(row.entry)) is not None
    }


def largest_rank_changes(gained: Mapping[int, int], most: int) -> list[RankChange]:
    """Return the largest rank changes, at most ``most`` of them, gains before losses."""
    moved = [RankChange(entry, places) for entry, places in gained.items() if places]
    return sorted(moved, key=lambda one: (-abs(one.gained), -one.gained, one.entry))[:most]
