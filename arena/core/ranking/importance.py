"""Rank matches by their importance for the standings; prefer leaders, close ranks and open outcomes.

Invariant: the order is a pure function of ranks and possible places, so the same standings always give the same order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from arena.core.ranking.possible_places import PlaceRange

ItemT = TypeVar("ItemT")

_CLOSE = 0.5  # weight of the closeness of two ranks, relative to the ranks themselves
_UNRANKED = 8  # rank assumed for an unranked entry, unless the rank after the last one is worse
_OPEN = 0.25  # bonus for each entry that can still win the tournament but is not certain to


@dataclass(frozen=True, slots=True)
class UpcomingMatch:
    """A match that has not finished: its number and its entries."""

    number: int
    entries: tuple[int, ...]


def match_importance(entries: Sequence[int], ranks: Mapping[int, int], possible: Mapping[int, PlaceRange]) -> float:
    """Return the importance of a match (0 or greater).

    Only its two best entries count, so a large table has no advantage.
    """
    top = sorted(ranks.get(entry) or max(len(ranks) + 1, _UNRANKED) for entry in entries)[:2]
    found = sum(1 / rank for rank in top)
    if len(top) == 2:
        found += _CLOSE * found / (1 + top[1] - top[0])
    contenders = [one for entry in entries if (one := possible.get(entry)) and one.best == 1 < one.worst]
    return found + _OPEN * min(2, len(contenders))


def most_important_matches(
    meetings: Iterable[UpcomingMatch], ranks: Mapping[int, int], possible: Mapping[int, PlaceRange], most: int
) -> list[int]:
    """Return the numbers of the most important matches, at most ``most`` of them; ties go to the lower number."""
    ordered = sorted(meetings, key=lambda one: (-match_importance(one.entries, ranks, possible), one.number))
    return [one.number for one in ordered[:most]]


def take_turns(items: Iterable[ItemT], group: Callable[[ItemT], Hashable]) -> list[ItemT]:
    """Return the items so that groups take turns: first each group's first item, then each group's second, and so on.

    Within a turn, items keep their order.
    """
    placed: list[tuple[int, ItemT]] = []
    counts: Counter[Hashable] = Counter()
    for item in items:
        placed.append((counts[group(item)], item))
        counts[group(item)] += 1
    return [item for _, item in sorted(placed, key=lambda one: one[0])]


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A finished match: its number, its entries, and its margin as a share of the largest possible margin, 0 to 1."""

    number: int
    entries: tuple[int, ...]
    share: float
    upset: bool  # the lower-placed entry won
    is_final: bool = False


def key_matches(played: Iterable[FinishedMatch], ranks: Mapping[int, int], most: int) -> list[int]:
    """Return the numbers of the matches that are most worth watching once the tournament is over.

    The final comes first; after it, matches with the best entries, close matches and upsets are preferred.
    """

    def weight(one: FinishedMatch) -> float:
        return match_importance(one.entries, ranks, {}) + 0.5 * (1 - one.share) + 0.75 * one.upset + 4.0 * one.is_final

    return [one.number for one in sorted(played, key=lambda one: (-weight(one), one.number))[:most]]
