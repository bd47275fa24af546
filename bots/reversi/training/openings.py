"""Generate the balanced openings of Reversi for arena/games/reversi/openings.py.

    python -m bots.reversi.training.openings > arena/games/reversi/openings.py

From each set of four symmetric positions after eight plies, one is examined. The sets come in a random order that
depends on the seed; positions with a value near 0 for the side to move are kept. The value is the mean of two
alpha-beta searches to different depths, because the side that has just moved looks better than it is. The searches use
hand-crafted features (mobility, corners and the squares next to them), so the value is an estimate in tenths of a disc,
not a proof. Remaining errors cancel out because an opening is always played twice, with the colours swapped. Generating
the openings takes a few minutes.
"""

from __future__ import annotations

import argparse
import random
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from arena.games.reversi.rules import SQUARES, flipped_discs, legal_squares

PLIES: Final = 8
DEPTHS: Final = (4, 5)
NEAR: Final = 10
FAR: Final = 60  # positions with a larger value at a depth of two are rejected

_BLACK: Final = 1 << SQUARES.index("E4") | 1 << SQUARES.index("D5")
_WHITE: Final = 1 << SQUARES.index("D4") | 1 << SQUARES.index("E5")
_FULL: Final = (1 << 64) - 1
_LOST: Final = 1 << 20
# A corner, and the adjacent squares that give it away while it is empty.
_CORNERS: Final = ((0, 0x302), (7, 0xC040), (56, 0x0203 << 48), (63, 0x40C0 << 48))

Position = tuple[int, int]  # the discs of the side to move, and of the other side


def list_positions(plies: int) -> list[tuple[Position, str]]:
    """Return the positions after this many plies, unique up to symmetry, each with a line that leads to it."""
    found: list[tuple[Position, str]] = [((_BLACK, _WHITE), "")]
    for _ in range(plies):
        seen: dict[Position, tuple[Position, str]] = {}
        for (own, other), line in found:
            for index in _square_indices(legal_squares(own, other)):
                after = _position_after(own, other, index)
                if legal_squares(*after):  # a line with a pass would be ambiguous
                    seen.setdefault(_canonical(after), (after, line + SQUARES[index]))
        found = list(seen.values())
    return found


def balanced_openings(count: int, seed: int) -> Iterator[str]:
    """Yield this many openings, in an order that depends only on the seed."""
    candidates = list_positions(PLIES)
    random.Random(seed).shuffle(candidates)  # noqa: S311 - a reproducible order
    found = 0
    for (own, other), line in candidates:
        if abs(search_value(own, other, 2)) > FAR:
            continue
        if abs(sum(search_value(own, other, depth) for depth in DEPTHS)) <= NEAR * len(DEPTHS):
            yield line
            found += 1
            if found == count:
                return


def search_value(own: int, other: int, depth: int, low: int = -_LOST, high: int = _LOST) -> int:
    """Return the value for the side to move, by negamax with alpha-beta, in tenths of a disc."""
    legal = legal_squares(own, other)
    if not legal:
        if not legal_squares(other, own):
            return 10 * (own.bit_count() - other.bit_count())
        return -search_value(other, own, depth, -high, -low)
    if depth == 0:
        return _estimate(own, other, legal)
    children = [_position_after(own, other, index) for index in _square_indices(legal)]
    # positions with few replies first, for more cutoffs
    children.sort(key=lambda after: legal_squares(*after).bit_count())
    best = -_LOST
    for theirs, ours in children:
        best = max(best, -search_value(theirs, ours, depth - 1, -high, -low))
        low = max(low, best)
        if low >= high:
            break
    return best


def _estimate(own: int, other: int, legal: int) -> int:
    """Estimate a position's value from mobility and corners."""
    worth = 8 * (legal.bit_count() - legal_squares(other, own).bit_count())
    empty = ~(own | other) & _FULL
    for corner, beside in _CORNERS:
        if empty >> corner & 1:
            worth -= 25 * ((own & beside).bit_count() - (other & beside).bit_count())
        else:
            worth += 120 if own >> corner & 1 else -120
    return worth


def _position_after(own: int, other: int, index: int) -> Position:
    """Return the position after a move, from the other side's point of view."""
    turned = flipped_discs(own, other, index)
    return other ^ turned, own | turned | 1 << index


def _canonical(position: Position) -> Position:
    """Return the canonical form of a position, which is the same for all its symmetric images."""
    images = [position]
    images.append(tuple(map(_rotated_by_180, position)))  # type: ignore[arg-type]
    images += [tuple(map(_transpose, image)) for image in images]  # type: ignore[misc]
    return min(images)


def _rotated_by_180(squares: int) -> int:
    return int(f"{squares:064b}"[::-1], 2)


def _transpose(squares: int) -> int:
    bits = f"{squares:064b}"
    return int("".join(bits[column::8] for column in range(8)), 2)


def _square_indices(squares: int) -> Iterator[int]:
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length() - 1
        squares ^= lowest


_MODULE = '''"""Balanced openings of Reversi, generated by bots.reversi.training.openings; do not edit.

{count} lines of {plies} plies, no two of which lead to the same position or to symmetric ones.
"""

from typing import Final

_LINES: Final = """
{lines}
"""
BALANCED: Final = tuple(_LINES.split())
'''


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Find balanced Reversi openings.")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    lines = sorted(balanced_openings(options.count, options.seed))
    shown = textwrap.fill(" ".join(lines), width=120)
    sys.stdout.write(_MODULE.format(count=len(lines), plies=PLIES, lines=shown))


if __name__ == "__main__":
    main()
