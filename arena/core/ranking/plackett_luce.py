"""Strength from results alone, whatever their order: Bradley-Terry for two seats, Plackett-Luce for tables.

A ranking is a sequence of choices: the first is chosen from all, the second from the rest, and so on, each time i
from the set S with the chance exp(t_i) / sum of exp(t_j) over S (R. D. Luce, "Individual Choice Behavior",
1959; R. L. Plackett, "The Analysis of Permutations", Applied Statistics 24 (1975)). With two seats this is the
model of Bradley and Terry. Equals are each chosen from the same set (N. Breslow, Biometrics 30 (1974), for
ties); the last group leaves out one choice, which is certain, and so a draw of two is half a win of each.

Before any result the strength of a bot's first version is normal about 0, and that of every later version about
its predecessor's, so a new version starts where the old one stands, with a wide interval. The ratings are the
most probable strengths, found by Newton's method; the log-probability is concave. The intervals come from the
inverse of its second derivative there (observed Fisher information), as those of the distance from the mean of
the first versions, because results say nothing of the common level.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.core.ranking.rating import CENTRE, FIRST_DEVIATION, PER_NEPER, STEP_DEVIATION, RatedResult, Rating

_PRECISION: Final = 1e-10  # nepers: the last step of Newton's method
_MOST_STEPS: Final = 100

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


def rate(results: Mapping[RatedResult, float], predecessors: Mapping[int, int] | None = None) -> dict[int, Rating]:
    """The rating of every entry that has results or a predecessor; ``results`` with how often each occurred.

    ``predecessors``: of later versions, the one before. Matches of an entry with itself are left out.
    """
    before = dict(predecessors or {})
    wins, choices = _choices(results)
    entries = sorted({*wins, *before, *before.values()})
    if not entries:
        return {}
    place = {entry: number for number, entry in enumerate(entries)}
    model = _Model(
        wins=np.array([wins.get(entry, 0.0) for entry in entries]),
        choices=_arrays(choices, place),
        prior=_prior(entries, before, place),
    )
    strengths = _most_probable(model)
    first = np.array([float(entry not in before) for entry in entries])
    deviations = _deviations(model.curvature(strengths), first / first.sum())
    return {
        entry: Rating(CENTRE + PER_NEPER * float(strength), PER_NEPER * float(deviation))
        for entry, strength, deviation in zip(entries, strengths, deviations, strict=True)
    }


@dataclass(frozen=True, slots=True)
class _Model:
    """The log-probability of strengths t: wins . t - sum of n_S log sum of exp(t_j) - t' prior t / 2.

    ``choices``: by the size of the set, its members and how often somebody was chosen from it.
    """

    wins: Floats
    choices: list[tuple[Ints, Floats]]
    prior: Floats

    def value(self, strengths: Floats) -> float:
        found = float(self.wins @ strengths - strengths @ self.prior @ strengths / 2)
        for members, often in self.choices:
            own = strengths[members]
            top = own.max(axis=1)
            found -= float(often @ (top + np.log(np.exp(own - top[:, None]).sum(axis=1))))
        return found

    def slope(self, strengths: Floats) -> Floats:
        found = self.wins - self.prior @ strengths
        for members, often in self.choices:
            expected = often[:, None] * _chances(strengths, members)
            found -= np.bincount(members.ravel(), expected.ravel(), minlength=len(found))
        return found

    def curvature(self, strengths: Floats) -> Floats:
        """The negative second derivative, positive definite by the prior."""
        found = self.prior.copy()
        for members, often in self.choices:
            chances = _chances(strengths, members)
            products = often[:, None, None] * chances[:, :, None] * chances[:, None, :]
            rows, columns = np.broadcast_arrays(members[:, :, None], members[:, None, :])
            np.subtract.at(found, (rows, columns), products)
            np.add.at(found, (members, members), often[:, None] * chances)
        return found


def _chances(strengths: Floats, members: Ints) -> Floats:
    own = strengths[members]
    weights = np.exp(own - own.max(axis=1)[:, None])
    chances: Floats = weights / weights.sum(axis=1)[:, None]
    return chances


def _choices(results: Mapping[RatedResult, float]) -> tuple[dict[int, float], dict[tuple[int, ...], float]]:
    """How often each entry was chosen, and how often somebody was chosen from each set."""
    wins: dict[int, float] = defaultdict(float)
    often: dict[tuple[int, ...], float] = defaultdict(float)
    tables = []
    for result, count in results.items():
        if len(result.entries) != 2:
            tables.append((result, count))
            continue
        one, other = result.entries
        if one == other:
            continue
        rank, other_rank = result.ranks
        share = 0.5 if rank == other_rank else float(rank < other_rank)
        wins[one] += count * share  # halves add up exactly, in any order
        wins[other] += count * (1 - share)
        often[(one, other) if one < other else (other, one)] += count
    for result, count in sorted(tables):
        if 1 < len(set(result.entries)) == len(result.entries):
            _add_table(wins, often, result, count)
    return wins, often


def _add_table(wins: dict[int, float], often: dict[tuple[int, ...], float], result: RatedResult, count: float) -> None:
    rest = set(result.entries)
    for rank in sorted(set(result.ranks)):
        equals = [entry for entry, own in zip(result.entries, result.ranks, strict=True) if own == rank]
        weight = count * (1.0 if len(rest) > len(equals) else 1 - 1 / len(equals))
        for entry in equals:
            wins[entry] += weight  # the last one, too, who is chosen for certain
        if weight:
            often[tuple(sorted(rest))] += weight * len(equals)
        rest.difference_update(equals)


def _arrays(choices: Mapping[tuple[int, ...], float], place: Mapping[int, int]) -> list[tuple[Ints, Floats]]:
    by_size: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for members in sorted(choices):
        by_size[len(members)].append(members)
    return [
        (
            np.array([[place[entry] for entry in members] for members in sets], dtype=np.int64),
            np.array([choices[members] for members in sets]),
        )
        for _, sets in sorted(by_size.items())
    ]


def _prior(entries: Iterable[int], before: Mapping[int, int], place: Mapping[int, int]) -> Floats:
    """The precision of the strengths before any result."""
    precision = np.zeros((len(place), len(place)))
    for entry in entries:
        own = place[entry]
        if entry not in before:
            precision[own, own] += (PER_NEPER / FIRST_DEVIATION) ** 2
            continue
        step, other = (PER_NEPER / STEP_DEVIATION) ** 2, place[before[entry]]
        precision[own, own] += step
        precision[other, other] += step
        precision[own, other] -= step
        precision[other, own] -= step
    return precision


def _most_probable(model: _Model) -> Floats:
    """Newton's method from 0; a step that would lead down is halved."""
    strengths = np.zeros_like(model.wins)
    value = model.value(strengths)
    for _ in range(_MOST_STEPS):
        step = np.linalg.solve(model.curvature(strengths), model.slope(strengths))
        reached = model.value(strengths + step)
        while reached < value - 1e-9 * abs(value) and float(np.abs(step).max()) > _PRECISION:
            step /= 2
            reached = model.value(strengths + step)
        strengths, value = strengths + step, reached
        if float(np.abs(step).max()) < _PRECISION:
            break
    return strengths


def _deviations(curvature: Floats, mean: Floats) -> Floats:
    """Standard errors, in nepers, of the distances from the mean with these weights."""
    covariance = np.linalg.inv(curvature)
    with_mean = covariance @ mean
    variances = np.diag(covariance) - 2 * with_mean + float(mean @ with_mean)
    deviations: Floats = np.sqrt(np.maximum(variances, 0.0))
    return deviations
