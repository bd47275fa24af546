"""Slides and drops on one board, for bots that look ahead; a board is six tile indices in row-major order."""

from collections.abc import Iterator, Sequence
from functools import cache

TILES = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233)
DROPS = ((1, 0.9), (2, 0.1))
UP, RIGHT, DOWN, LEFT = range(4)
# The lines of the board, starting at the edge towards which tiles slide.
_LINES = {
    UP: ((0, 3), (1, 4), (2, 5)),
    RIGHT: ((2, 1, 0), (5, 4, 3)),
    DOWN: ((3, 0), (4, 1), (5, 2)),
    LEFT: ((0, 1, 2), (3, 4, 5)),
}

Tiles = tuple[int, ...]


@cache
def slide_line(line: Tiles) -> tuple[Tiles, int]:
    """Return a line after a slide towards its first cell, and the reward; each tile merges at most once."""
    slid: list[int] = []
    reward, may_merge = 0, False
    for tile in filter(None, line):
        if may_merge and (slid[-1] == tile == 1 or abs(slid[-1] - tile) == 1):
            slid[-1] = max(slid[-1], tile) + 1
            reward += TILES[slid[-1]]
            may_merge = False
        else:
            slid.append(tile)
            may_merge = True
    return (*slid, *[0] * (len(line) - len(slid))), reward


def slide(tiles: Sequence[int], direction: int) -> tuple[Tiles, int]:
    """Return the board after the slide, with no new tile yet, and the reward."""
    found, reward = list(tiles), 0
    for cells in _LINES[direction]:
        slid, gained = slide_line(tuple(tiles[cell] for cell in cells))
        reward += gained
        for cell, tile in zip(cells, slid, strict=True):
            found[cell] = tile
    return tuple(found), reward


def legal_slides(tiles: Sequence[int]) -> Iterator[tuple[int, Tiles, int]]:
    """Yield each direction that changes the board, with the resulting board and the reward."""
    before = tuple(tiles)
    for direction in _LINES:
        after, reward = slide(before, direction)
        if after != before:
            yield direction, after, reward


def boards_after_drop(tiles: Tiles) -> Iterator[tuple[Tiles, float]]:
    """Yield every board that the next drop can produce, with its probability."""
    empty = [cell for cell, tile in enumerate(tiles) if not tile]
    for cell in empty:
        for tile, chance in DROPS:
            yield (*tiles[:cell], tile, *tiles[cell + 1 :]), chance / len(empty)


def symmetries(tiles: Tiles) -> tuple[Tiles, ...]:
    """Return the board, its two reflections, and its rotation by 180°; all four have the same value."""
    upper, lower = tiles[:3], tiles[3:]
    return tiles, lower + upper, upper[::-1] + lower[::-1], lower[::-1] + upper[::-1]


def canonical_board(tiles: Tiles) -> Tiles:
    """Return the canonical board, which is the same for a board and the boards symmetric to it."""
    return min(symmetries(tiles))


def board_code(tiles: Sequence[int]) -> int:
    """Return the tile indices as one number with four bits per cell, the first cell in the lowest bits."""
    return sum(tile << 4 * cell for cell, tile in enumerate(tiles))


def canonical_code(tiles: Tiles) -> int:
    """Return the code under which a board and its symmetric boards are stored: the smallest of their codes."""
    return min(map(board_code, symmetries(tiles)))
