"""The negative Hessian of the log-probability, and the linear systems of Newton's method.

The matrix is never stored: conjugate gradients need only its products with vectors. Opponents have similar strengths,
so differences between distant parts of a league converge slowly with a diagonal preconditioner. An additive coarse
correction (J. M. Tang, R. Nabben, C. Vuik and Y. A. Erlangga, "Comparison of Two-Level Preconditioners Derived from
Deflation, Domain Decomposition and Multigrid Methods", J. Sci. Comput. 39 (2009)) solves for groups of entries of
similar strength exactly, which halves the number of products.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from arena.core.ranking.choices import Floats, Ints
from arena.core.ranking.likelihood import ChoiceProbabilities, Model, sum_by_index

_MAX_PRODUCTS: Final = 1000
_GROUPS: Final = 24
_FEW_ENTRIES: Final = 500  # up to this number, a diagonal preconditioner is enough


class Curvature:
    """The negative Hessian at given strengths, positive definite because of the prior."""

    def __init__(self, model: Model, chances: ChoiceProbabilities) -> None:
        self._model = model
        self._tables = [
            (members, often, chance) for (members, often), chance in zip(model.tables, chances.tables, strict=True)
        ]
        self._cells = model.choice_counts * chances.pairs * (1 - chances.pairs)
        self._without_tables = model.prior.diagonal + model.pairs.sum_rows(self._cells)
        self.diagonal = self._without_tables + self._diagonal_of_tables()

    def multiply(self, vector: Floats) -> Floats:
        pairs = self._model.pairs
        flow = vector.take(pairs.columns)
        flow *= self._cells
        found = self._without_tables * vector - pairs.sum_rows(flow) - self._model.prior.multiply_off_diagonal(vector)
        for members, often, chance in self._tables:
            mean = (chance * vector[members]).sum(axis=1)
            for column in range(members.shape[1]):
                own = members[:, column]
                found += sum_by_index(own, often * chance[:, column] * (vector[own] - mean), len(found))
        return found

    def _diagonal_of_tables(self) -> Floats:
        found = np.zeros(self._model.pairs.entries)
        for members, often, chance in self._tables:
            for column in range(members.shape[1]):
                p = chance[:, column]
                found += sum_by_index(members[:, column], often * p * (1 - p), len(found))
        return found

    def edges(self) -> tuple[Ints, Ints, Floats]:
        """Return all pairs of dependent entries, as two arrays, with the negated off-diagonal element of each pair."""
        pairs = self._model.pairs
        rows = np.repeat(pairs.rows, pairs.sizes)
        once = rows < pairs.columns
        ends = [(rows[once], pairs.columns[once], self._cells[once]), self._model.prior.edges]
        for members, often, chance in self._tables:
            for a in range(members.shape[1]):
                for b in range(a + 1, members.shape[1]):
                    ends.append((members[:, a], members[:, b], often * chance[:, a] * chance[:, b]))
        one, other, weight = (np.concatenate(column) for column in zip(*ends, strict=True))
        if not self._tables:
            return one, other, weight  # each pair only once
        entries = pairs.entries
        keys, place = np.unique(np.minimum(one, other) * entries + np.maximum(one, other), return_inverse=True)
        return keys // entries, keys % entries, sum_by_index(place.ravel(), weight, len(keys))

    def star_variances(self) -> Floats:
        """Return each entry's variance as if its opponents' strengths were uncertain and all others known."""
        diagonal = self.diagonal
        if not self._tables:
            lost = self._model.pairs.sum_rows(self._cells**2 / diagonal.take(self._model.pairs.columns))
            one, other, weight = self._model.prior.edges
        else:
            lost = np.zeros(len(diagonal))
            one, other, weight = self.edges()
        lost += sum_by_index(one, weight**2 / diagonal[other], len(diagonal))
        lost += sum_by_index(other, weight**2 / diagonal[one], len(diagonal))
        found: Floats = 1 / (diagonal - lost)
        return found

    def reduce_to_groups(self, group: Ints, count: int) -> Floats:
        """Return the matrix reduced to ``count`` groups: each element is the sum of the elements between two groups."""
        found = np.diag(sum_by_index(group, self._without_tables, count))
        pairs = self._model.pairs
        cells = np.repeat(group[pairs.rows] * count, pairs.sizes) + group.take(pairs.columns)
        found -= sum_by_index(cells, self._cells, count**2).reshape(count, count)
        later, earlier, weight = self._model.prior.edges
        between = sum_by_index(group[later] * count + group[earlier], weight, count**2).reshape(count, count)
        found -= between + between.T
        for members, often, chance in self._tables:
            places = np.arange(len(members))[:, None] * count + group[members]
            share = sum_by_index(places.ravel(), chance.ravel(), len(members) * count).reshape(-1, count)
            found += np.diag(often @ share) - share.T @ (often[:, None] * share)
        return found

    def solve(self, right: Floats, share: float, coarse: CoarseCorrection | None) -> Floats:
        """Solve the linear system with the right-hand side ``right`` by preconditioned conjugate gradients.

        Stops once the residual has shrunk by the factor ``share``. ``coarse``: improves the preconditioner if given.
        """
        found, residual = np.zeros_like(right), right.copy()
        scaled = self._precondition(residual, coarse)
        direction, energy = scaled.copy(), float(residual @ scaled)
        enough = energy * share**2
        for _ in range(_MAX_PRODUCTS):
            if energy <= enough:
                break
            image = self.multiply(direction)
            length = energy / float(direction @ image)
            found += length * direction
            residual -= length * image
            scaled = self._precondition(residual, coarse)
            energy, before = float(residual @ scaled), energy
            direction = scaled + energy / before * direction
        return found

    def _precondition(self, residual: Floats, coarse: CoarseCorrection | None) -> Floats:
        local: Floats = residual / self.diagonal
        return local if coarse is None else local + coarse.apply(residual)


@dataclass(frozen=True, slots=True)
class CoarseCorrection:
    """The inverse of the group-level matrix; it remains useful as long as strengths change little."""

    group: Ints
    inverse: Floats

    @classmethod
    def from_strengths(cls, curvature: Curvature, strengths: Floats) -> Self | None:
        """Create the correction for groups of similar strength; None if there are too few entries for it to pay off."""
        size = len(strengths)
        if size <= _FEW_ENTRIES:
            return None
        group = np.empty(size, dtype=np.int64)
        group[np.argsort(strengths, kind="stable")] = np.arange(size) * _GROUPS // size
        inverse = np.linalg.inv(curvature.reduce_to_groups(group, _GROUPS))
        return cls(group, inverse.astype(np.float64, copy=False))

    def apply(self, residual: Floats) -> Floats:
        found: Floats = (self.inverse @ sum_by_index(self.group, residual, len(self.inverse)))[self.group]
        return found
