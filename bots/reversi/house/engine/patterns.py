"""The patterns of the learned evaluation: parts of the board as numbers.

A pattern is a sequence of squares. Its index is its content as a base-3 number, with a digit for each square: 0 empty,
1 own, 2 the other side's (Buro, Experiments with Multi-ProbCut and a New High-Quality Evaluation Function for Othello,
1997). A shape is a pattern and its images under the symmetries of the board; they all share their weights. Two indices
also share a weight if a symmetry that maps the pattern to itself maps one content to the other.

All pattern indices of a position are computed together. Each pattern has a field of 16 bits in one large integer. A
table contains, for each row of the board and each set of discs on it, what those discs add to all fields. A position is
the sum of eight such entries for the discs of the side to move and twice the sum of eight for the other side's discs:
additions instead of a loop over squares.

Invariants: a field never overflows (3**10 < 2**16); ``SHAPES`` and the order of their weights are part of the format of
``learned``.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from .bitboard import parse_square

SHAPES: Final = (
    "A1 B1 C1 D1 E1 F1 G1 H1 B2 G2",  # an edge and its X-squares
    "A1 B1 C1 A2 B2 C2 A3 B3 C3",  # a corner and its surroundings
    "A2 B2 C2 D2 E2 F2 G2 H2",
    "A3 B3 C3 D3 E3 F3 G3 H3",
    "A4 B4 C4 D4 E4 F4 G4 H4",
    "A1 B2 C3 D4 E5 F6 G7 H8",  # the diagonals
    "B1 C2 D3 E4 F5 G6 H7",
    "C1 D2 E3 F4 G5 H6",
    "D1 E2 F3 G4 H5",
    "E1 F2 G3 H4",
)
STAGE_DISCS: Final = 6  # number of moves in a stage of a match; each stage has separate weights
STAGES: Final = 64 // STAGE_DISCS + 1
STEP: Final = 5  # hundredths of a disc: weights are stored as multiples of this, in one byte each
Squares = tuple[int, ...]  # from 0 (A1) to 63 (H8)


def _symmetric_images(places: Squares) -> list[Squares]:
    """Return the images of a pattern under the eight symmetries of the board, starting with the pattern itself."""
    found = []
    for transposed in (False, True):
        for down in (0, 7):
            for right in (0, 7):
                pairs = [(place >> 3 ^ down, place & 7 ^ right) for place in places]
                found.append(tuple(8 * column + row if transposed else 8 * row + column for row, column in pairs))
    return found


def _distinct_patterns(images: list[Squares]) -> list[Squares]:
    """Return one pattern for each distinct set of squares."""
    return list({frozenset(image): image for image in reversed(images)}.values())


def _squares(shape: str) -> Squares:
    return tuple(parse_square(name).bit_length() - 1 for name in shape.split())


PATTERNS: Final[tuple[tuple[int, Squares], ...]] = tuple(
    (number, image)
    for number, shape in enumerate(SHAPES)
    for image in _distinct_patterns(_symmetric_images(_squares(shape)))
)  # the shape's index and the squares
_FIELD: Final = 16
_BYTES: Final = len(PATTERNS) * _FIELD // 8
_UNPACK: Final = Struct(f"<{len(PATTERNS)}H").unpack


def _disc_contributions() -> list[int]:
    """Return, for each square, what a disc of the side to move adds to the packed indices."""
    added = [0] * 64
    for field, (_, squares) in enumerate(PATTERNS):
        for place, at in enumerate(squares):
            added[at] += 3**place << _FIELD * field
    return added


def _row_contributions() -> list[list[int]]:
    """Return, for each row and every set of discs on it, what these discs add to the packed indices."""
    added = _disc_contributions()
    rows = []
    for row in range(8):
        sums = [0] * 256
        for discs in range(1, 256):
            lowest = discs & -discs
            sums[discs] = sums[discs ^ lowest] + added[8 * row + lowest.bit_length() - 1]
        rows.append(sums)
    return rows


_1, _2, _3, _4, _5, _6, _7, _8 = _row_contributions()


def pattern_indices(own: int, other: int) -> tuple[int, ...]:
    """Return the index of each of ``PATTERNS``, from the point of view of the side to move."""
    a, b, c, d, e, f, g, h = own.to_bytes(8, "little")
    s, t, u, v, w, x, y, z = other.to_bytes(8, "little")
    theirs = _1[s] + _2[t] + _3[u] + _4[v] + _5[w] + _6[x] + _7[y] + _8[z]
    both = _1[a] + _2[b] + _3[c] + _4[d] + _5[e] + _6[f] + _7[g] + _8[h] + theirs + theirs
    return _UNPACK(both.to_bytes(_BYTES, "little"))


def weight_indices(shape: str) -> list[int]:
    """Map each pattern index of the shape to the index of its weight; mirror images share a weight."""
    places = _squares(shape)
    mirrored = [0]
    mirror = _mirror_permutation(places)
    for place in range(len(places)):
        step = 3 ** mirror[place]
        mirrored = [number + digit * step for digit in range(3) for number in mirrored]
    weights: list[int] = []
    count = 0
    for number, other in enumerate(mirrored):
        weights.append(count if other >= number else weights[other])
        count += other >= number
    return weights


def _mirror_permutation(places: Squares) -> Squares:
    """Return the permutation of a pattern's squares induced by a symmetry that maps the pattern to itself.

    Return the identity if there is no such symmetry.
    """
    itself = tuple(range(len(places)))
    for image in _symmetric_images(places):
        if set(image) == set(places):
            order = tuple(places.index(at) for at in image)
            if order != itself:
                return order
    return itself
