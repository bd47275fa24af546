"""Names of Reversi openings.

The names and their moves are in common use, and were collected by Robert Gatliff; these are the most frequent ones. All
begin with C4, because the four possible first moves are equivalent by symmetry.

Invariants: an opening is recognized by its position, whatever the order of moves, and also after a symmetry of the
standard starting position (a reflection in a diagonal, or the half-turn); if several openings fit, the longest one
counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from arena.games.reversi.lines import Line
from arena.games.reversi.rules import ReversiState

OPENINGS: Final = (
    ("Diagonal", "C4C3"),
    ("X-square", "C4C3D3C5B2"),
    ("Snake", "C4C3D3C5B3"),
    ("Pyramid", "C4C3D3C5B3F4B5B4C6D6F5"),
    ("Heath", "C4C3D3C5B4"),
    ("Heath-Bat", "C4C3D3C5B4D2D6"),
    ("Iwasaki", "C4C3D3C5B4D2E2"),
    ("Heath-Chimney", "C4C3D3C5B4E3"),
    ("Raccoon Dog", "C4C3D3C5B5"),
    ("Rocket", "C4C3D3C5B6"),
    ("Hamilton", "C4C3D3C5B6C6B5"),
    ("Lollipop", "C4C3D3C5B6E3"),
    ("Cow", "C4C3D3C5D6"),
    ("Chimney", "C4C3D3C5D6E3"),
    ("Bat", "C4C3D3C5D6F4B4"),
    ("Rose versus Toth", "C4C3D3C5D6F4F5"),
    ("Tanida", "C4C3D3C5D6F4F5D2"),
    ("Aircraft", "C4C3D3C5D6F4F5D2B5"),
    ("Sailboat", "C4C3D3C5D6F4F5D2G4D7"),
    ("Maruoka", "C4C3D3C5D6F4F5E6C6D7"),
    ("Landau", "C4C3D3C5D6F4F5E6F6"),
    ("Buffalo", "C4C3D3C5F6"),
    ("Maruoka Buffalo", "C4C3D3C5F6E2C6"),
    ("Tanida Buffalo", "C4C3D3C5F6E3C6F5F4G5"),
    ("Hokuriku Buffalo", "C4C3D3C5F6F5"),
    ("Wing", "C4C3E6C5"),
    ("Semi-Wing", "C4C3F5C5"),
    ("Parallel", "C4C5"),
    ("Perpendicular", "C4E3"),
    ("Mimura", "C4E3F4C5D6E6"),
    ("Shaman", "C4E3F4C5D6F3C6"),
    ("Inoue", "C4E3F4C5D6F3D3"),
    ("Iago", "C4E3F4C5D6F3D3C3"),
    ("Bhagat", "C4E3F4C5D6F3E2"),
    ("Rose", "C4E3F4C5D6F3E6C3D3E2"),
    ("Flat", "C4E3F4C5D6F3E6C3D3E2B5"),
    ("Rotating Flat", "C4E3F4C5D6F3E6C3D3E2B5F5"),
    ("Rose-Birth", "C4E3F4C5D6F3E6C3D3E2B6F5"),
    ("Rose-Birdie", "C4E3F4C5D6F3E6C3D3E2B6F5G5"),
    ("Greenberg", "C4E3F4C5D6F3E6C3D3E2D2"),
    ("Ralle", "C4E3F4C5D6F3E6C6"),
    ("Horse", "C4E3F4C5E6"),
    ("Ganglion", "C4E3F5B4"),
    ("Swallow", "C4E3F5B4F3"),
    ("Italian", "C4E3F5E6D3"),
    ("Cat", "C4E3F5E6F4"),
    ("Sakaguchi", "C4E3F5E6F4C5D6C6F7F3"),
    ("Bent Ganglion", "C4E3F6B4"),
    ("Tiger", "C4E3F6E6F5"),
    ("Stephenson", "C4E3F6E6F5C5C3"),
    ("No-Kung", "C4E3F6E6F5C5C3B4"),
    ("Comp'Oth", "C4E3F6E6F5C5C3C6"),
    ("Kung", "C4E3F6E6F5C5C3G5"),
    ("Leader's Tiger", "C4E3F6E6F5C5D3"),
    ("Brightwell", "C4E3F6E6F5C5D6"),
    ("Ishii", "C4E3F6E6F5C5F4G5G4F3C6D3D6"),
    ("Main Line Tiger", "C4E3F6E6F5C5F4G5G4F3C6D3D6B3C3B4E2B6"),
    ("Rose-Bill", "C4E3F6E6F5C5F4G6F7"),
    ("Tamenori", "C4E3F6E6F5C5F4G6F7D3"),
    ("Central Rose-Bill", "C4E3F6E6F5C5F4G6F7G5"),
    ("Aubrey", "C4E3F6E6F5G6"),
)

_SYMMETRIES: Final[tuple[Callable[[int, int], tuple[int, int]], ...]] = (
    lambda row, column: (row, column),
    lambda row, column: (column, row),
    lambda row, column: (7 - column, 7 - row),
    lambda row, column: (7 - row, 7 - column),
)
_TURNED: Final = tuple(
    tuple(8 * turned[0] + turned[1] for turned in (turn(*divmod(square, 8)) for square in range(64)))
    for turn in _SYMMETRIES
)
_Key = tuple[int, int, int | None]


@dataclass(frozen=True, slots=True)
class NamedOpening:
    """A named opening. ``moves``: the number of its moves."""

    name: str
    moves: int


def find_opening(line: Line, states: Sequence[ReversiState] | None = None) -> NamedOpening | None:
    """Return the longest known opening of the line; None for a non-standard starting position or an unknown opening.

    ``states``: the states of the line, if already computed. Raises LineError.
    """
    if not line.is_standard_start:
        return None
    known = _named_positions()
    longest = max(len(moves) for _, moves in OPENINGS) // 2
    for number, state in reversed(list(enumerate((states or line.states())[: longest + 1]))):
        name = known.get(_key(state))
        if name:
            return NamedOpening(name, number)
    return None


@cache
def _named_positions() -> dict[_Key, str]:
    found: dict[_Key, str] = {}
    for name, moves in OPENINGS:
        line = Line(moves=tuple(moves[at : at + 2] for at in range(0, len(moves), 2)))
        found[_key(line.states()[-1])] = name
    return found


def _key(state: ReversiState) -> _Key:
    """Return a key shared by positions equivalent under the symmetries of the standard starting position."""
    black, white = min(tuple(_transform_squares(discs, turn) for discs in state.discs) for turn in _TURNED)
    return black, white, state.to_move


def _transform_squares(discs: int, turn: Sequence[int]) -> int:
    found = 0
    while discs:
        lowest = discs & -discs
        found |= 1 << turn[lowest.bit_length() - 1]
        discs ^= lowest
    return found
