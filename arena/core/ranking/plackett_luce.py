"""Estimates strengths from results, independent of their order: Bradley-Terry for two seats, Plackett-Luce for tables.

A ranking is a sequence of choices: the first is chosen from all, the second from the rest, and so on, each time i from
the set S with the chance exp(t_i) / sum of exp(t_j) over S (R. D. Luce, "Individual Choice Behavior", 1959; R. L.
Plackett, "The Analysis of Permutations", Applied Statistics 24 (1975)). With two seats this is the model of Bradley and
Terry. Equals are each chosen from the same set (N. Breslow, Biometrics 30 (1974), for ties); the last group omits one
choice, which is certain, so a draw of two is half a win for each.

Before any result the strength of a bot's first version is normal about 0, and that of every later version about its
predecessor's, so a new version starts at the old one's strength, with a wide interval. The ratings are the most
probable strengths. The log-probability is strictly concave, so the optimum is unique: Newton's method with conjugate
gradients finds it to a ten-millionth of a point without storing a matrix (J. Nocedal and S. J. Wright, "Numerical
Optimization", 2nd ed., algorithm 7.1).

The intervals come from the inverse of the second derivative there (observed Fisher information). Up to
``EXACT_ENTRIES`` they are those of the distance from the mean of the first versions, because results do not determine
the common level. Beyond, inverting would take minutes: an entry's variance then takes into account that its opponents'
strengths are uncertain, and theirs not, as if its matches were a star; with many opponents the difference is small.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from arena.core.ranking.choices import Floats, Ints, Results, choices, places_of
from arena.core.ranking.rating import CENTRE, FIRST_DEVIATION, PER_NEPER, STEP_DEVIATION, RatedResult, Rating

EXACT_ENTRIES: Final = 500
_LAST_STEP: Final = 3e-6  # nepers; the next step would be about its square, or ``_SOLVED`` of it
_SOLVED: Final = 1e-5  # residual of the last linear systems, relative to the initial one
_ROUGHLY: Final = 0.03  # residual of the first
_LONG_STEP: Final = 2.0  # nepers
_MOST_STEPS: Final = 100
_LARGEST_EXPONENT: Final = 700.0  # of a double
_FIRST_PRECISION: Final = (PER_NEPER / FIRST_DEVIATION) ** 2
_STEP_PRECISION: Final = (PER_NEPER / STEP_DEVIATION) ** 2


def rate(results: Mapping[RatedResult, float], predecessors: Mapping[int, int] | None = None) -> dict[int, Rating]:
    """Rate every entry that has results or a predecessor; ``results`` include their multiplicities.

    ``predecessors``: the previous version of each later version. Matches of an entry with itself are ignored.
    """
    before = dict(predecessors or {})
    compared = Results.of(results).comparing()
    lineage = np.array([*before, *before.values()], dtype=np.int64)
    entries = np.unique(np.concatenate([compared.entries, lineage]))
    if not len(entries):
        return {}
    today = np.zeros(len(compared.sizes), dtype=np.int64)
    found = choices(compared.numbered(entries), today, len(entries), 0)
    model = Model(
        wins=_sums(found.win_entries, found.win_weights, len(entries)),
        choices=[(sets.members, _sums(sets.places, sets.weights, len(sets.members))) for sets in found.sets],
        prior=Prior(
            np.ones(len(entries), dtype=np.bool_), places_of(entries, before), places_of(entries, before.values())
        ),
    )
    strengths = fit(model, np.zeros(len(entries)))
    return {
        int(entry): Rating(CENTRE + PER_NEPER * float(strength), PER_NEPER * float(deviation))
        for entry, strength, deviation in zip(entries, strengths, deviations(model, strengths), strict=True)
    }


@dataclass(frozen=True, slots=True)
class Prior:
    """The prior: only ``present`` entries count; ``later[k]`` is the version after ``earlier[k]``."""

    present: np.ndarray[tuple[int], np.dtype[np.bool_]]
    later: Ints
    earlier: Ints

    @property
    def own(self) -> Floats:
        """Return the precision of first versions about 0; for absent entries it keeps them at 0."""
        found = np.full(len(self.present), _FIRST_PRECISION)
        found[self.later] = 0.0
        return found

    def times(self, strengths: Floats) -> Floats:
        """Multiply the precision matrix by a vector."""
        found = self.own * strengths
        step = _STEP_PRECISION * (strengths[self.later] - strengths[self.earlier])
        return found + _sums(self.later, step, len(found)) - _sums(self.earlier, step, len(found))

    @property
    def diagonal(self) -> Floats:
        once = np.full(len(self.later), _STEP_PRECISION)
        return self.own + _sums(self.later, once, len(self.present)) + _sums(self.earlier, once, len(self.present))


@dataclass(frozen=True, slots=True)
class Model:
    """The log-probability of strengths t: wins . t - sum of n_S log sum of exp(t_j) - t' prior t / 2.

    ``choices``: by set size, the members and how often a choice was made from the set.
    """

    wins: Floats
    choices: Sequence[tuple[Ints, Floats]]
    prior: Prior

    def value(self, strengths: Floats) -> float:
        found = float(self.wins @ strengths - strengths @ self.prior.times(strengths) / 2)
        for members, often in self.choices:
            own = strengths[members]
            top = own.max(axis=1)
            found -= float(often @ (top + np.log(np.exp(own - top[:, None]).sum(axis=1))))
        return found

    def slope(self, chances: Sequence[Floats], strengths: Floats) -> Floats:
        found = self.wins - self.prior.times(strengths)
        for (members, often), chance in zip(self.choices, chances, strict=True):
            for column in range(members.shape[1]):
                found -= _sums(members[:, column], often * chance[:, column], len(found))
        return found

    def chances(self, strengths: Floats) -> list[Floats]:
        """Return the probability of each member to be chosen from its set."""
        return [_chances(strengths, members) for members, _ in self.choices]


class _Curvature:
    """The negative second derivative at given strengths, positive definite because of the prior; never stored."""

    def __init__(self, model: Model, chances: Sequence[Floats]) -> None:
        self._prior = model.prior
        self._entries = len(model.wins)
        self._pairs = [
            (members[:, 0].copy(), members[:, 1].copy(), often * chance[:, 0] * chance[:, 1])
            for (members, often), chance in zip(model.choices, chances, strict=True)
            if members.shape[1] == 2
        ]
        self._tables = [
            (members, often, chance)
            for (members, often), chance in zip(model.choices, chances, strict=True)
            if members.shape[1] > 2
        ]
        self.diagonal = self._diagonal()

    def times(self, vector: Floats) -> Floats:
        found = self._prior.times(vector)
        for one, other, weight in self._pairs:
            flow = weight * (vector[one] - vector[other])
            found += _sums(one, flow, self._entries) - _sums(other, flow, self._entries)
        for members, often, chance in self._tables:
            mean = (chance * vector[members]).sum(axis=1)
            for column in range(members.shape[1]):
                own = members[:, column]
                found += _sums(own, often * chance[:, column] * (vector[own] - mean), self._entries)
        return found

    def _diagonal(self) -> Floats:
        found = self._prior.diagonal
        for one, other, weight in self._pairs:
            found += _sums(one, weight, self._entries) + _sums(other, weight, self._entries)
        for members, often, chance in self._tables:
            for column in range(members.shape[1]):
                p = chance[:, column]
                found += _sums(members[:, column], often * p * (1 - p), self._entries)
        return found

    def edges(self) -> tuple[Ints, Ints, Floats]:
        """Return the off-diagonal values (as positive numbers) of each two dependent entries."""
        ends = [(one, other, weight) for one, other, weight in self._pairs]
        later = self._prior.later
        ends.append((later, self._prior.earlier, np.full(len(later), _STEP_PRECISION)))
        for members, often, chance in self._tables:
            for a in range(members.shape[1]):
                for b in range(a + 1, members.shape[1]):
                    ends.append((members[:, a], members[:, b], often * chance[:, a] * chance[:, b]))
        one, other, weight = (np.concatenate(column) for column in zip(*ends, strict=True))
        if not self._tables:
            return one, other, weight  # each pair only once
        keys, place = np.unique(np.minimum(one, other) * self._entries + np.maximum(one, other), return_inverse=True)
        return keys // self._entries, keys % self._entries, _sums(place.ravel(), weight, len(keys))

    def solve(self, right: Floats, share: float) -> Floats:
        """Solve by conjugate gradients with a diagonal preconditioner, until the residual has shrunk to this share."""
        found, residual = np.zeros_like(right), right.copy()
        scaled = residual / self.diagonal
        direction, energy = scaled.copy(), float(residual @ scaled)
        enough = energy * share**2
        for _ in range(10 * _MOST_STEPS):
            if energy <= enough:
                break
            image = self.times(direction)
            length = energy / float(direction @ image)
            found += length * direction
            residual -= length * image
            scaled = residual / self.diagonal
            energy, before = float(residual @ scaled), energy
            direction = scaled + energy / before * direction
        return found


def fit(model: Model, start: Floats) -> Floats:
    """Return the most probable strengths, by Newton's method from ``start``; halve steps that would go downhill."""
    strengths, share = start.copy(), _ROUGHLY
    for _ in range(_MOST_STEPS):
        chances = model.chances(strengths)
        step = _Curvature(model, chances).solve(model.slope(chances, strengths), share)
        length = float(np.abs(step).max(initial=0.0))
        if length > _LONG_STEP:
            step = _uphill(model, strengths, step)
        strengths = strengths + step
        if length < _LAST_STEP and share <= _SOLVED:
            break
        share = min(_ROUGHLY, max(_SOLVED, length**2))
    return strengths


def _uphill(model: Model, strengths: Floats, step: Floats) -> Floats:
    value = model.value(strengths)
    while model.value(strengths + step) < value - 1e-9 * abs(value) and float(np.abs(step).max()) > _LAST_STEP:
        step = step / 2
    return step


def deviations(model: Model, strengths: Floats) -> Floats:
    """Return standard errors in nepers; meaningless for absent entries."""
    curvature = _Curvature(model, model.chances(strengths))
    present = np.flatnonzero(model.prior.present)
    if len(present) > EXACT_ENTRIES:
        return _star_deviations(curvature)
    first = np.ones(len(strengths))
    first[model.prior.later] = 0.0
    mean = first[present] / first[present].sum()
    found = np.zeros_like(strengths)
    found[present] = _exact_deviations(curvature, present, mean)
    return found


def _exact_deviations(curvature: _Curvature, present: Ints, mean: Floats) -> Floats:
    """Return the standard errors of the distances from the weighted mean."""
    place = np.zeros(len(curvature.diagonal), dtype=np.int64)
    place[present] = np.arange(len(present))
    one, other, weight = curvature.edges()
    one, other, size = place[one], place[other], len(present)
    flat = np.concatenate([one * size + other, other * size + one])
    matrix = -_sums(flat, np.concatenate([weight, weight]), size * size).reshape(size, size)
    matrix[np.arange(size), np.arange(size)] += curvature.diagonal[present]
    covariance = np.linalg.inv(matrix)
    with_mean = covariance @ mean
    variances = np.diag(covariance) - 2 * with_mean + float(mean @ with_mean)
    found: Floats = np.sqrt(np.maximum(variances, 0.0))
    return found


def _star_deviations(curvature: _Curvature) -> Floats:
    """Return the standard errors if opponents' strengths are uncertain but all others' are known."""
    one, other, weight = curvature.edges()
    diagonal = curvature.diagonal
    lost = _sums(one, weight**2 / diagonal[other], len(diagonal)) + _sums(
        other, weight**2 / diagonal[one], len(diagonal)
    )
    found: Floats = 1 / np.sqrt(diagonal - lost)
    return found


def _chances(strengths: Floats, members: Ints) -> Floats:
    if members.shape[1] == 2:
        first = 1 / (1 + np.exp(np.minimum(strengths[members[:, 1]] - strengths[members[:, 0]], _LARGEST_EXPONENT)))
        return np.stack([first, 1 - first], axis=1)
    own = strengths[members]
    weights = np.exp(own - own.max(axis=1)[:, None])
    chances: Floats = weights / weights.sum(axis=1)[:, None]
    return chances


def _sums(places: Ints, values: Floats, size: int) -> Floats:
    return np.bincount(places, values, minlength=size).astype(np.float64, copy=False)
