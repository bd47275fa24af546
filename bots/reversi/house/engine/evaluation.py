"""A hand-crafted evaluation: an estimate for the side to move, in hundredths of a disc.

It is the weighted sum of seven features, each the difference between the two sides. A feature is multiplied by its
weight and by its unit. The units give all seven features the same variance, so that weights can be compared and evolved
(``bots.reversi.training.evolve``).

Invariant: the evaluation is antisymmetric, ``estimate(a, b) == -estimate(b, a)``. A win is worth more than any
estimate; see ``final_value``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import astuple, dataclass
from typing import Final

from .bitboard import CORNERS, FULL, legal_moves, with_neighbours
from .squares import square_balance

WON: Final = 100_000  # any win is worth more than any estimate
DISC: Final = 100

Evaluation = Callable[[int, int], int]


@dataclass(frozen=True, slots=True)
class Weights:
    """The weight of each feature; the weights add up to 1. The defaults were evolved."""

    position: float = 0.252  # the occupied squares, see ``squares``
    mobility: float = 0.1279  # moves
    frontier: float = 0.0779  # empty squares beside discs of the opponent: potential moves
    corners: float = 0.0238
    x_squares: float = 0.2019  # squares diagonal to empty corners, which give the corners away: fewer are better
    edges: float = 0.2446  # see ``EDGES``
    discs: float = 0.0719  # before the end, fewer are better: they leave the opponent less to flip

    def __post_init__(self) -> None:
        if not math.isclose(sum(astuple(self)), 1, abs_tol=1e-3):
            raise ValueError("the weights do not add up to 1")


UNIFORM: Final = Weights(*[1 / 7] * 7)
# The value of one unit of each feature if the feature had the whole weight: 3000 divided by its standard deviation in
# middle-game positions.
_UNITS: Final = (36, 570, 430, 3500, -5000, 280, -390)


def final_lead(own: int, other: int) -> int:
    """Return the number of discs by which the side to move has won; negative if it has lost.

    Empty squares count for the winner, as in tournaments.
    """
    lead = own.bit_count() - other.bit_count()
    if lead > 0:
        return 64 - 2 * other.bit_count()
    return 2 * own.bit_count() - 64 if lead else 0


def final_value(own: int, other: int) -> int:
    """Return the value of a final position for the side to move, on the scale of the estimates."""
    lead = final_lead(own, other)
    if lead > 0:
        return WON + DISC * lead
    return DISC * lead - WON if lead else 0


def unit_values(weights: Weights) -> list[int]:
    """Return the value of one unit of each feature, in the order of ``Weights``."""
    shares: tuple[float, ...] = astuple(weights)
    return [round(share * unit) for share, unit in zip(shares, _UNITS, strict=True)]


def create_evaluation(weights: Weights) -> Evaluation:
    """Return the evaluation function with these weights.

    The weights are bound once because a search calls the function ten thousand times a second.
    """
    position, mobility, frontier, corner, x_square, edge, disc = unit_values(weights)

    def estimate(own: int, other: int) -> int:
        mine, theirs = legal_moves(own, other), legal_moves(other, own)
        if not mine and not theirs:
            return final_value(own, other)
        worth = mobility * (mine.bit_count() - theirs.bit_count())
        empty = FULL & ~(own | other)
        worth += frontier * ((with_neighbours(other) & empty).bit_count() - (with_neighbours(own) & empty).bit_count())
        worth += position * square_balance(own, other)
        worth += edge * _edges_value(own, other)
        worth += disc * (own.bit_count() - other.bit_count())
        if corners := (own | other) & CORNERS:
            worth += corner * ((own & corners).bit_count() - (other & corners).bit_count())
        if corners := empty & CORNERS:
            exposed = (corners & 1) << 9 | (corners & 0x80) << 7 | (corners >> 7 | corners >> 9) & 0x42000000000000
            worth += x_square * ((own & exposed).bit_count() - (other & exposed).bit_count())
        return worth

    return estimate


def _edge_value(cells: list[int]) -> int:
    """Evaluate an edge of eight squares: 1 is a disc of the side's own, -1 an opponent's disc, 0 an empty square.

    The value is antisymmetric.
    """
    full = all(cells)
    worth = 0
    for line in (cells, cells[::-1]):
        held = 0
        while held < 8 and line[held] == line[0] != 0:
            held += 1  # a chain from a corner cannot be flipped
        worth += 2 * line[0] * (held if held < 8 else 4)
        if line[0] == 0:
            worth += -2 * line[1] + line[2]  # the square that gives the corner away, and the square that attacks it
    return worth + (2 * sum(cells[1:7]) if full else 0)


def _edge_cells(index: int) -> list[int]:
    return [(0, 1, -1)[index // 3**place % 3] for place in range(8)]


# An index has a base-3 digit for each square: 0 empty, 1 own, 2 the other side's.
EDGES: Final[list[int]] = [_edge_value(_edge_cells(index)) for index in range(3**8)]
_OWN: Final[list[int]] = [sum(3**place for place in range(8) if row >> place & 1) for row in range(256)]
_OTHER: Final[list[int]] = [2 * index for index in _OWN]
_COLUMN_A: Final = 0x0101010101010101
_GATHER: Final = 0x0102040810204080  # multiplying column A by this moves its eight squares to the highest row


def _edges_value(own: int, other: int) -> int:
    """Return the value of all four edges."""
    return (
        EDGES[_OWN[own & 255] + _OTHER[other & 255]]
        + EDGES[_OWN[own >> 56] + _OTHER[other >> 56]]
        + EDGES[_OWN[(own & _COLUMN_A) * _GATHER >> 56 & 255] + _OTHER[(other & _COLUMN_A) * _GATHER >> 56 & 255]]
        + EDGES[
            _OWN[(own >> 7 & _COLUMN_A) * _GATHER >> 56 & 255] + _OTHER[(other >> 7 & _COLUMN_A) * _GATHER >> 56 & 255]
        ]
    )
