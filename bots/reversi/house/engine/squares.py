"""Square values for evaluation and move ordering; the board is symmetric, so one quadrant defines them all."""

from __future__ import annotations

from typing import Final

_QUARTER: Final = (
    (99, -8, 8, 6),
    (-8, -24, -4, -3),
    (8, -4, 7, 4),
    (6, -3, 4, 0),
)
SQUARE_VALUES: Final = {
    1 << 8 * row + column: _QUARTER[min(row, 7 - row)][min(column, 7 - column)]
    for row in range(8)
    for column in range(8)
}


def _row_values(row: int) -> list[int]:
    """Return, for every subset of a row's squares, the sum of the values of these squares."""
    sums = [0] * 256
    for squares in range(1, 256):
        lowest = squares & -squares
        sums[squares] = sums[squares ^ lowest] + SQUARE_VALUES[lowest << 8 * row]
    return sums


_OUTER, _SECOND, _THIRD, _FOURTH = map(_row_values, range(4))


def square_balance(own: int, other: int) -> int:
    """Return the total value of the side's own squares minus that of the opponent's squares."""
    a, b, c, d, e, f, g, h = own.to_bytes(8, "little")
    s, t, u, v, w, x, y, z = other.to_bytes(8, "little")
    mine = _OUTER[a] + _OUTER[h] + _SECOND[b] + _SECOND[g] + _THIRD[c] + _THIRD[f] + _FOURTH[d] + _FOURTH[e]
    theirs = _OUTER[s] + _OUTER[z] + _SECOND[t] + _SECOND[y] + _THIRD[u] + _THIRD[x] + _FOURTH[v] + _FOURTH[w]
    return mine - theirs
