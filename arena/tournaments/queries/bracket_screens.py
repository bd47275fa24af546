"""Divide a bracket into screens on which its encounters are legible from a distance.

A screen shows at most ``MAX_COLUMNS`` rounds as columns, each with at most ``MAX_ROWS`` encounters, plus the final or
the third-place play-off. Every encounter is on some screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias, TypeVar

MAX_ROWS: Final = 8
MAX_COLUMNS: Final = 4


class BracketSlot(Protocol):
    """A slot for an encounter in a bracket."""

    @property
    def is_bye(self) -> bool:
        """Return whether no match is played in this slot."""


SlotT = TypeVar("SlotT", bound=BracketSlot)
Rounds: TypeAlias = Sequence[Sequence[SlotT]]  # a power of two slots each, never more than in the round before


@dataclass(frozen=True, slots=True)
class Window:
    """A window on a bracket: rounds ``first`` to ``last``, or one part of each of these rounds.

    ``parts``: the number of equal parts into which each round is divided; ``part``: the index of the visible part.
    """

    bracket: int
    first: int
    last: int
    part: int = 0
    parts: int = 1

    def cut(self, rounds: Rounds[SlotT]) -> Iterator[tuple[int, Sequence[SlotT]]]:
        """Yield the index and the visible slots of each round in the window."""
        for index in range(self.first, self.last + 1):
            size = len(rounds[index]) // self.parts
            yield index, rounds[index][self.part * size : (self.part + 1) * size]


Screen: TypeAlias = tuple[Window, ...]


def screens(brackets: Sequence[Rounds[SlotT]]) -> list[Screen]:
    """Return the screens of a bracket: first the early rounds, then the late ones.

    ``brackets``: the winners' bracket and, in double elimination, the losers' bracket, each of which is divided into
    screens; then the final or the third-place play-off, if any, which is shown on the last screen.
    """
    large = [index for index, rounds in enumerate(brackets) if index == 0 or len(rounds[0]) > 1]
    rest = tuple(Window(index, 0, len(brackets[index]) - 1) for index in range(len(brackets)) if index not in large)
    rows = sum(len(brackets[index][0]) for index in large)
    columns = max(len(brackets[index]) for index in large)
    if rows <= MAX_ROWS and columns <= MAX_COLUMNS:
        return [(*(Window(index, 0, len(brackets[index]) - 1) for index in large), *rest)]
    found = [(window,) for index in large for window in _windows(index, brackets[index])]
    return [*found[:-1], (*found[-1], *rest)]


def _windows(bracket: int, rounds: Rounds[SlotT]) -> Iterator[Window]:
    """Yield the windows into a bracket, one per screen: first the early rounds, then the late ones."""
    start = 0
    while start < len(rounds) and len(rounds[start]) > MAX_ROWS:
        parts = len(rounds[start]) // MAX_ROWS
        last = min(len(rounds), start + MAX_COLUMNS) - 1
        follows = next((index for index in range(start, last) if len(rounds[index]) <= MAX_ROWS), last + 1)
        for part in range(parts):
            window = Window(bracket, start, last, part, parts)
            # Omitted if, apart from rounds that a later screen shows again, the window contains only byes.
            if any(not slot.is_bye for index, slots in window.cut(rounds) if index < follows for slot in slots):
                yield window
        start = follows
    screens_left = -(-(len(rounds) - start) // MAX_COLUMNS)
    while screens_left:
        width = -(-(len(rounds) - start) // screens_left)
        yield Window(bracket, start, start + width - 1)
        start, screens_left = start + width, screens_left - 1
