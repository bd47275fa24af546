"""Split the turns of a match into pages, so that a long match is never loaded as a whole.

Invariants: pages contain consecutive turns, and together contain all turns; each page has at most ``PAGE_BYTES`` of
JSON, unless it consists of one longer turn. A page contains what its viewer may see: for a running match, it comes from
the viewer's stream, and only finished matches have public pages.
"""

from __future__ import annotations

import gzip
import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, overload

import msgspec

Json = dict[str, Any]

WHOLE_BYTES: Final = 400_000  # bytes of JSON: matches up to this size are sent as a whole
PAGE_BYTES: Final = 80_000
TAIL_BYTES: Final = 120_000  # bytes of a longer match that are sent first
_LEVEL: Final = 6


@dataclass(frozen=True, slots=True)
class TurnBatch:
    """Consecutive turns, starting with number ``first``; ``spent``: seconds charged to each seat before that turn."""

    first: int
    turns: list[Json]
    spent: list[float]

    def __contains__(self, number: int) -> bool:
        return self.first <= number < self.first + len(self.turns)

    def to_json(self) -> Json:
        return {"first": self.first, "turns": self.turns, "spent": self.spent}

    def compress(self) -> bytes:
        return gzip.compress(msgspec.json.encode(self.to_json()), _LEVEL)

    @classmethod
    def decompress(cls, data: bytes) -> TurnBatch:
        raw = json.loads(gzip.decompress(data))
        return cls(raw["first"], raw["turns"], raw["spent"])


def size_of(turn: Mapping[str, Any]) -> int:
    """Return the size of a turn's JSON in bytes."""
    return len(msgspec.json.encode(turn))


def split_into_pages(turns: Iterable[Json], seats: int) -> Iterator[TurnBatch]:
    """Yield all turns in pages; only one page is in memory at a time."""
    spent = [0.0] * seats
    page: list[Json] = []
    before, size, first = list(spent), 0, 0
    for turn in turns:
        bytes_ = size_of(turn)
        if page and size + bytes_ > PAGE_BYTES:
            yield TurnBatch(first, page, before)
            first += len(page)
            page, before, size = [], list(spent), 0
        page.append(turn)
        size += bytes_
        add_times(spent, turn)
    if page:
        yield TurnBatch(first, page, before)


def add_times(spent: list[float], turn: Mapping[str, Any]) -> None:
    """Add to ``spent`` the time that each seat used in the turn."""
    for move in turn["moves"]:
        spent[move["seat"]] = round(spent[move["seat"]] + move["seconds"], 6)


class TurnPageSource(Protocol):
    """A source of a match's turn pages: stored pages, or the viewer's stream."""

    @property
    def count(self) -> int:
        """Return the number of turns, including turn 0."""
        ...

    def page(self, number: int) -> TurnBatch | None:
        """Return the page that contains this turn; None if it is not available now."""
        ...


class PagedTurns(Sequence[Json]):
    """All turns of a long match, read page by page; an unavailable turn is empty."""

    def __init__(self, source: TurnPageSource) -> None:
        self._source = source
        self._kept: list[TurnBatch] = []  # the two most recently read pages

    def __len__(self) -> int:
        return self._source.count

    @overload
    def __getitem__(self, index: int) -> Json: ...
    @overload
    def __getitem__(self, index: slice) -> list[Json]: ...
    def __getitem__(self, index: int | slice) -> Json | list[Json]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = index if index >= 0 else index + len(self)
        if not 0 <= number < len(self):
            raise IndexError(index)
        return self._turn(number)

    def _turn(self, number: int) -> Json:
        found = next((page for page in self._kept if number in page), None)
        if found is None:
            found = self._source.page(number)
            if found is None:
                return {"number": number, "moves": [], "view": {}}
            self._kept = [*self._kept[-1:], found]
        return found.turns[number - found.first]


def first_of_page(pages: Sequence[int], number: int) -> int:
    """Return the first turn of the page that contains this turn. ``pages``: the first turn of each page."""
    return pages[max(0, bisect_right(pages, number) - 1)]
