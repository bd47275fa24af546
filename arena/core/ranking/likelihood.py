"""The log-probability of strengths under the Plackett-Luce model with a normal prior, and its first two derivatives.

Most of a ladder's results are pairwise comparisons, so these are stored as the rows of a sparse symmetric matrix
(``PairGraph``); larger sets are stored in arrays with one row per set and one column per member.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Self

import numpy as np

from arena.core.ranking.choices import Floats, Ints
from arena.core.ranking.rating import FIRST_DEVIATION, PER_NEPER, STEP_DEVIATION

_LARGEST_EXPONENT: Final = 700.0  # exp overflows a double just above 709
_FIRST_PRECISION: Final = (PER_NEPER / FIRST_DEVIATION) ** 2
_STEP_PRECISION: Final = (PER_NEPER / STEP_DEVIATION) ** 2


@dataclass(frozen=True, slots=True)
class Prior:
    """The normal prior on the strengths.

    ``present``: whether each entry is rated; the strengths of all others stay at 0. ``later[k]``: the version after
    ``earlier[k]``.
    """

    present: np.ndarray[tuple[int], np.dtype[np.bool_]]
    later: Ints
    earlier: Ints

    @property
    def first_version_precision(self) -> Floats:
        """Return each first version's prior precision; unrated entries have one too, so their strengths stay at 0."""
        found = np.full(len(self.present), _FIRST_PRECISION)
        found[self.later] = 0.0
        return found

    def multiply(self, strengths: Floats) -> Floats:
        """Multiply the precision matrix by a vector."""
        return self.diagonal * strengths - self.multiply_off_diagonal(strengths)

    def multiply_off_diagonal(self, strengths: Floats) -> Floats:
        """Multiply the negated off-diagonal part of the precision matrix by a vector."""
        size = len(self.present)
        forward = sum_by_index(self.later, strengths[self.earlier], size)
        return _STEP_PRECISION * (forward + sum_by_index(self.earlier, strengths[self.later], size))

    @property
    def diagonal(self) -> Floats:
        once = np.full(len(self.later), _STEP_PRECISION)
        size = len(self.present)
        return (
            self.first_version_precision + sum_by_index(self.later, once, size) + sum_by_index(self.earlier, once, size)
        )

    @property
    def edges(self) -> tuple[Ints, Ints, Floats]:
        return self.later, self.earlier, np.full(len(self.later), _STEP_PRECISION)


@dataclass(frozen=True, slots=True)
class PairGraph:
    """The pairs of entries as compressed sparse rows; each pair is in both entries' rows, so sums by entry are fast.

    ``pairs``: the pair number of each cell; ``columns``: the opponent in each cell; ``rows``: the entries that have
    pairs; ``starts`` and ``sizes``: the first cell and the number of cells of each row.
    """

    entries: int
    count: int  # number of pairs
    pairs: Ints = field(repr=False)
    columns: Ints = field(repr=False)
    rows: Ints = field(repr=False)
    starts: Ints = field(repr=False)
    sizes: Ints = field(repr=False)

    @classmethod
    def from_pairs(cls, members: Ints, entries: int) -> Self:
        """Build the graph from two-element sets."""
        one, other = (np.ascontiguousarray(members[:, column]) for column in (0, 1))
        # The smallest type that fits: NumPy uses radix sort for 16-bit integers, so for up to 65,535 entries.
        ends = np.concatenate([one, other]).astype(np.min_scalar_type(max(entries, 1)))
        cells = np.argsort(ends, kind="stable").astype(np.int64)
        columns = np.concatenate([other, one])[cells]
        rows, starts, sizes = np.unique(ends[cells], return_index=True, return_counts=True)
        pairs = np.where(cells < len(one), cells, cells - len(one))
        return cls(entries, len(one), pairs, columns, rows.astype(np.int64), starts.astype(np.int64), sizes)

    def expand_pairs(self, of_pairs: Floats) -> Floats:
        """Return, for each cell, the value of its pair."""
        return of_pairs.take(self.pairs)

    def expand_rows(self, of_entries: Floats) -> Floats:
        """Return, for each cell, the value of the entry in its row."""
        return np.repeat(of_entries[self.rows], self.sizes)

    def sum_rows(self, cells: Floats) -> Floats:
        """Return the sum of each row."""
        found = np.zeros(self.entries)
        if len(self.rows):
            found[self.rows] = np.add.reduceat(cells, self.starts)
        return found


@dataclass(frozen=True, slots=True)
class Model:
    """The log-probability of strengths t: wins . t - sum over S of n_S log(sum over j in S of exp(t_j)) - t' P t / 2.

    ``wins``: how many times each entry was chosen. S: a set from which n_S choices were made. P: the prior's precision
    matrix.

    ``choice_counts``: for each cell of ``pairs``, the number of choices from the pair. ``tables``: for each size of
    larger sets, their members and the number of choices from each set.
    """

    wins: Floats
    pairs: PairGraph
    choice_counts: Floats
    tables: Sequence[tuple[Ints, Floats]]
    prior: Prior

    def log_probability(self, strengths: Floats) -> float:
        found = float(self.wins @ strengths - strengths @ self.prior.multiply(strengths) / 2)
        both = np.logaddexp(self.pairs.expand_rows(strengths), strengths.take(self.pairs.columns))
        found -= float(self.choice_counts @ both) / 2  # each pair has two cells
        for members, often in self.tables:
            own = strengths[members]
            top = own.max(axis=1)
            found -= float(often @ (top + np.log(np.exp(own - top[:, None]).sum(axis=1))))
        return found

    def probabilities(self, strengths: Floats) -> ChoiceProbabilities:
        ahead = strengths.take(self.pairs.columns)
        ahead -= self.pairs.expand_rows(strengths)
        np.minimum(ahead, _LARGEST_EXPONENT, out=ahead)
        np.exp(ahead, out=ahead)
        ahead += 1
        return ChoiceProbabilities(1 / ahead, [_table_probabilities(strengths[members]) for members, _ in self.tables])

    def gradient(self, chances: ChoiceProbabilities, strengths: Floats) -> Floats:
        found = self.wins - self.prior.multiply(strengths) - self.pairs.sum_rows(self.choice_counts * chances.pairs)
        for (members, often), chance in zip(self.tables, chances.tables, strict=True):
            for column in range(members.shape[1]):
                found -= sum_by_index(members[:, column], often * chance[:, column], len(found))
        return found


@dataclass(frozen=True, slots=True)
class ChoiceProbabilities:
    """The probability that each member of a set is chosen from it.

    ``pairs``: for each cell of the ``PairGraph``, the probability that the entry in its row is chosen; ``tables``: for
    each size of larger sets, the probability that each member is chosen.
    """

    pairs: Floats
    tables: Sequence[Floats]


def _table_probabilities(own: Floats) -> Floats:
    weights = np.exp(own - own.max(axis=1)[:, None])
    chances: Floats = weights / weights.sum(axis=1)[:, None]
    return chances


def sum_by_index(places: Ints, values: Floats, size: int) -> Floats:
    """Return an array of ``size`` sums; each value is added to the sum at its index in ``places``."""
    return np.bincount(places, values, minlength=size).astype(np.float64, copy=False)
