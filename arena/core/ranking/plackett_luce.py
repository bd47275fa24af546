"""Estimate strengths from results, independent of their order: Bradley-Terry for two seats, Plackett-Luce for tables.

A ranking is a sequence of choices: the first is chosen from all, the second from the rest, and so on, each time i from
the set S with the probability exp(t_i) / sum of exp(t_j) over S (R. D. Luce, "Individual Choice Behavior", 1959; R. L.
Plackett, "The Analysis of Permutations", Applied Statistics 24 (1975)). With two seats this is the model of Bradley and
Terry. Tied entries are each chosen from the same set (the method of N. Breslow, Biometrics 30 (1974)); the last group
omits one choice, which is certain, so a draw between two counts as half a win for each.

The prior of a bot's first version is normal with mean 0, and that of every later version is normal with its
predecessor's strength as the mean, so a new version starts at the old one's strength, with a wide interval. The ratings
are the most probable strengths. The log-probability is strictly concave, so the optimum is unique: Newton's method with
conjugate gradients finds it to a ten-millionth of a point without storing a matrix (J. Nocedal and S. J. Wright,
"Numerical Optimization", 2nd ed., algorithm 7.1). Each linear system is solved only as precisely as the next step
needs.

The intervals come from the inverse of the Hessian at the optimum (observed Fisher information). With up to
``EXACT_ENTRIES`` entries, they are intervals for the distance from the mean of the first versions, because results do
not determine the common level. With more entries, inverting would take minutes. An entry's variance is then computed as
if its matches formed a star, with uncertain strengths for its opponents and known strengths for all others; with many
opponents the difference is small.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from arena.core.ranking.choices import Floats, Ints
from arena.core.ranking.curvature import CoarseCorrection, Curvature
from arena.core.ranking.likelihood import Model, sum_by_index

EXACT_ENTRIES: Final = 500
_ACCURACY: Final = 1e-11  # estimated error of the strengths in the result
_ROUGHLY: Final = 0.03  # residual of the first linear system, relative to the initial one
_FINELY: Final = 1e-6  # residual of the most precise linear system
_LONG_STEP: Final = 2.0  # maximum change of a strength in one step
_SHORT_STEP: Final = 1e-6  # a step this short is not halved further
_CLIPPED_STEPS: Final = 10
_MAX_STEPS: Final = 100


def fit_strengths(model: Model, start: Floats) -> Floats:
    """Find the most probable strengths with Newton's method, starting from ``start``.

    The first steps are clipped, which suffices for a new entry with surprising results. Later steps that would
    lower the probability are halved, so that the iteration always converges.
    """
    strengths, share = start.copy(), _ROUGHLY
    coarse: CoarseCorrection | None = None
    for number in range(_MAX_STEPS):
        chances = model.probabilities(strengths)
        curvature = Curvature(model, chances)
        if not number:
            coarse = CoarseCorrection.from_strengths(curvature, strengths)
        step = curvature.solve(model.gradient(chances, strengths), share, coarse)
        length = float(np.abs(step).max(initial=0.0))
        if length > _LONG_STEP:
            clipped = np.clip(step, -_LONG_STEP, _LONG_STEP)
            step = clipped if number < _CLIPPED_STEPS else _shorten_step(model, strengths, step)
        strengths = strengths + step
        # The remaining error: the residual of the linear system, and the change in curvature along the step.
        error = max(share * length, length**2)
        if error <= _ACCURACY:
            break
        share = min(_ROUGHLY, max(_FINELY, error, _ACCURACY / error))
    return strengths


def _shorten_step(model: Model, strengths: Floats, step: Floats) -> Floats:
    value = model.log_probability(strengths)
    while (
        model.log_probability(strengths + step) < value - 1e-9 * abs(value) and float(np.abs(step).max()) > _SHORT_STEP
    ):
        step = step / 2
    return step


def deviations(model: Model, strengths: Floats) -> Floats:
    """Return the standard errors of the log strengths (natural logarithm); meaningless for unrated entries."""
    curvature = Curvature(model, model.probabilities(strengths))
    present = np.flatnonzero(model.prior.present)
    if len(present) > EXACT_ENTRIES:
        star: Floats = np.sqrt(curvature.star_variances())
        return star
    first = np.ones(len(strengths))
    first[model.prior.later] = 0.0
    mean = first[present] / first[present].sum()
    found = np.zeros_like(strengths)
    found[present] = _exact_deviations(curvature, present, mean)
    return found


def _exact_deviations(curvature: Curvature, present: Ints, mean: Floats) -> Floats:
    """Return the standard errors of the strengths relative to their weighted mean; ``mean`` contains the weights."""
    place = np.zeros(len(curvature.diagonal), dtype=np.int64)
    place[present] = np.arange(len(present))
    one, other, weight = curvature.edges()
    one, other, size = place[one], place[other], len(present)
    flat = np.concatenate([one * size + other, other * size + one])
    matrix = -sum_by_index(flat, np.concatenate([weight, weight]), size * size).reshape(size, size)
    matrix[np.arange(size), np.arange(size)] += curvature.diagonal[present]
    covariance = np.linalg.inv(matrix)
    with_mean = covariance @ mean
    variances = np.diag(covariance) - 2 * with_mean + float(mean @ with_mean)
    found: Floats = np.sqrt(np.maximum(variances, 0.0))
    return found
