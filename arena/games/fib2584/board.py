"""The board of 2584: six cells, tiles with Fibonacci numbers, slides and drops.

A board is an int: bits 4i to 4i + 3 hold the tile index of cell ``i`` (row-major, 0 1 2 over 3 4 5), or 0 if the cell
is empty. Invariant: a slide preserves the sum of the tiles' values, because the value of a merged tile is the sum of
the two values. Source of the rules: the 2584 project in National Chiao Tung University's Theory of Computer Games
course.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Final

TILES: Final = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233)
CELLS: Final = 6
COLUMNS: Final = 3
UP, RIGHT, DOWN, LEFT = range(4)
DIRECTIONS: Final = ("up", "right", "down", "left")
ARROWS: Final = "↑→↓←"
EMPTY: Final = 0
# The index and the probability of each tile that can drop.
DROPS: Final = ((1, 0.9), (2, 0.1))
START_DROPS: Final = 2

# Maps each packed line to the packed line after a slide and the reward.
_Slides = dict[int, tuple[int, int]]


def pack(indices: Sequence[int]) -> int:
    """Pack six tile indices into a board. Raises ValueError unless there are exactly six, each from 0 to 12."""
    if len(indices) != CELLS or not all(0 <= index < len(TILES) for index in indices):
        raise ValueError("a board has six tiles, each an index from 0 to 12")
    return sum(index << 4 * cell for cell, index in enumerate(indices))


def unpack(board: int) -> tuple[int, ...]:
    """Return the six tile indices of a board."""
    return tuple(board >> 4 * cell & 15 for cell in range(CELLS))


def board_text(board: int) -> str:
    """Return the six tile indices as hexadecimal digits."""
    return f"{board:06x}"[::-1]


def read_board(text: str) -> int:
    """Parse the result of ``board_text``. Raises ValueError."""
    return pack([int(digit, 16) for digit in text])


def merges(one: int, other: int) -> bool:
    """Return whether two tiles merge: they are adjacent in the Fibonacci sequence, or both are 1."""
    return one == other == 1 or (min(one, other) > 0 and abs(one - other) == 1)


def slide_line(line: Sequence[int]) -> tuple[list[int], int]:
    """Slide a line towards its first cell; return the new line and the reward.

    Each tile merges at most once, leading tiles first.
    """
    slid: list[int] = []
    reward = 0
    may_merge = False  # whether the last tile of ``slid`` can still merge in this slide
    for index in filter(None, line):
        if may_merge and merges(slid[-1], index):
            slid[-1] = max(slid[-1], index) + 1
            reward += TILES[slid[-1]]
            may_merge = False
        else:
            slid.append(index)
            may_merge = True
    return slid + [EMPTY] * (len(line) - len(slid)), reward


def _slides(length: int, *, backwards: bool) -> _Slides:
    """Precompute the slides of all lines of this length towards the first or, if ``backwards``, the last cell."""
    found: _Slides = {}
    step = -1 if backwards else 1
    for line in product(range(len(TILES)), repeat=length):
        if {len(TILES) - 1, len(TILES) - 2} <= set(line):
            continue  # would merge into a tile that no game reaches
        slid, reward = slide_line(line[::step])
        found[_pack_line(line)] = (_pack_line(slid[::step]), reward)
    return found


def _pack_line(line: Sequence[int]) -> int:
    return sum(index << 4 * cell for cell, index in enumerate(line))


_ROW_LEFT: Final = _slides(COLUMNS, backwards=False)
_ROW_RIGHT: Final = _slides(COLUMNS, backwards=True)
_COLUMN_UP: Final = _slides(2, backwards=False)
_COLUMN_DOWN: Final = _slides(2, backwards=True)


def slide(board: int, direction: int) -> tuple[int, int]:
    """Return the board after the slide, before the next drop, and the reward; an unchanged board if nothing moves."""
    if direction in (LEFT, RIGHT):
        rows = _ROW_LEFT if direction == LEFT else _ROW_RIGHT
        upper, lower = rows[board & 0xFFF], rows[board >> 12]
        return upper[0] | lower[0] << 12, upper[1] + lower[1]
    columns = _COLUMN_UP if direction == UP else _COLUMN_DOWN
    slid, reward = 0, 0
    for column in range(COLUMNS):
        shift = 4 * column
        pair, gained = columns[board >> shift & 15 | (board >> shift + 12 & 15) << 4]
        slid |= (pair & 15) << shift | (pair >> 4) << shift + 12
        reward += gained
    return slid, reward


@lru_cache(maxsize=1 << 15)
def slides(board: int) -> tuple[tuple[int, int, int], ...]:
    """Return each direction that changes the board, with the resulting board and the reward. Cached."""
    found = ((direction, *slide(board, direction)) for direction in range(len(DIRECTIONS)))
    return tuple(one for one in found if one[1] != board)


def legal_directions(board: int) -> tuple[int, ...]:
    """Return the directions that change the board."""
    return tuple(direction for direction, _, _ in slides(board))


def empty_cells(board: int) -> tuple[int, ...]:
    """Return the cells into which a tile may drop."""
    return tuple(cell for cell in range(CELLS) if not board >> 4 * cell & 15)


def drop(board: int, tile: float, place: float) -> tuple[int, int, int]:
    """Drop a random tile; return the board, the cell and the tile.

    ``tile`` and ``place``: random numbers in [0, 1) that determine the tile and the cell. The same numbers
    give two boards the same tile, and the same cell if the same cells are empty.
    """
    cells = empty_cells(board)
    cell = cells[int(place * len(cells))]
    index = DROPS[0][0] if tile < DROPS[0][1] else DROPS[1][0]
    return board | index << 4 * cell, cell, index


def drops(board: int) -> Iterator[tuple[int, int, int, float]]:
    """Yield every possible drop: the board, cell, tile and probability."""
    cells = empty_cells(board)
    for cell in cells:
        for index, probability in DROPS:
            yield board | index << 4 * cell, cell, index, probability / len(cells)


def boards_after_drop(board: int) -> Iterator[tuple[int, float]]:
    """Yield every board after a drop, with its probability."""
    return ((after, probability) for after, _, _, probability in drops(board))


def symmetries(board: int) -> tuple[int, int, int, int]:
    """Return the board and its vertical, horizontal and double reflections; all four have the same value."""
    turned = board >> 12 | (board & 0xFFF) << 12
    return board, turned, _mirror(board), _mirror(turned)


def _mirror(board: int) -> int:
    """Mirror the board left to right."""
    return (board & 0x0F00F0) | (board & 0x00F00F) << 8 | (board & 0xF00F00) >> 8


def canonical(board: int) -> int:
    """Return the smallest of a board's symmetric variants."""
    return min(symmetries(board))
