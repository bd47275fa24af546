"""The sparse Hessian equals the dense Hessian of the same model, for any mixture of pairs and tables."""

from __future__ import annotations

import numpy as np
import pytest

from arena.core.ranking import plackett_luce
from arena.core.ranking.curvature import CoarseCorrection, Curvature
from arena.core.ranking.likelihood import Model, PairGraph, Prior

ENTRIES = 40


def random_model(entries: int, pairs: int, tables: int, seed: int = 1) -> Model:
    """Build a random model, with entries that never played, pairs of weight 0, and versions with predecessors."""
    rng = np.random.default_rng(seed)
    played = entries - 3
    drawn = np.array([rng.choice(played, 2, replace=False) for _ in range(pairs)], dtype=np.int64).reshape(-1, 2)
    members = np.unique(np.sort(drawn, axis=1), axis=0)
    larger = np.array([rng.choice(played, 4, replace=False) for _ in range(tables)], dtype=np.int64).reshape(-1, 4)
    graph = PairGraph.from_pairs(members, entries)
    often = rng.integers(0, 4, len(members)).astype(np.float64)
    wins = np.bincount(members[:, 0], 0.7 * often, minlength=entries)
    wins += np.bincount(members[:, 1], 0.3 * often, minlength=entries)
    wins += np.bincount(larger[:, 2], minlength=entries)
    prior = Prior(np.arange(entries) < played, np.array([5, 6]), np.array([4, 5]))
    return Model(wins, graph, graph.expand_pairs(often), [(larger, np.ones(tables))] if tables else [], prior)


def curvature_of(of: Model, strengths: np.ndarray) -> Curvature:
    return Curvature(of, of.probabilities(strengths))


def dense_matrix(found: Curvature, size: int) -> np.ndarray:
    return np.array([found.multiply(column) for column in np.eye(size)])


@pytest.mark.parametrize(("pairs", "tables"), [(200, 0), (200, 60), (0, 60)])
def test_products_match_the_dense_derivatives(pairs: int, tables: int) -> None:
    made = random_model(ENTRIES, pairs, tables)
    strengths = np.random.default_rng(2).normal(0, 1, ENTRIES)
    found = curvature_of(made, strengths)
    matrix, step = dense_matrix(found, ENTRIES), 1e-5
    for entry, column in enumerate(np.eye(ENTRIES)):
        ends = strengths + step * column, strengths - step * column
        slopes = [made.gradient(made.probabilities(end), end) for end in ends]
        assert matrix[entry] == pytest.approx((slopes[1] - slopes[0]) / (2 * step), abs=1e-7)
        values = [made.log_probability(end) for end in ends]
        slope = made.gradient(made.probabilities(strengths), strengths)[entry]
        assert slope == pytest.approx((values[0] - values[1]) / (2 * step), abs=1e-6)
    assert found.diagonal == pytest.approx(np.diag(matrix))
    one, other, weight = found.edges()
    beside = np.zeros_like(matrix)
    beside[one, other] += weight
    beside[other, one] += weight
    assert np.diag(np.diag(matrix)) - beside == pytest.approx(matrix)


@pytest.mark.parametrize("tables", [0, 60])
def test_curvature_between_groups_sums_matrix_entries(tables: int) -> None:
    found = curvature_of(random_model(ENTRIES, 200, tables), np.linspace(-2, 2, ENTRIES))
    group = np.arange(ENTRIES) * 5 // ENTRIES
    members = np.eye(5)[group]
    assert found.reduce_to_groups(group, 5) == pytest.approx(members.T @ dense_matrix(found, ENTRIES) @ members)


@pytest.mark.parametrize("tables", [0, 300])
def test_large_league_reaches_the_optimum_of_a_small_one(tables: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The coarse correction speeds up convergence without changing the optimum."""
    made = random_model(600, 4000, tables)
    start = np.zeros(600)
    found = plackett_luce.fit_strengths(made, start)
    assert np.abs(made.gradient(made.probabilities(found), found)).max() < 1e-9
    assert CoarseCorrection.from_strengths(curvature_of(made, start), start) is not None
    monkeypatch.setattr("arena.core.ranking.curvature._FEW_ENTRIES", 600)
    assert plackett_luce.fit_strengths(made, start) == pytest.approx(found, abs=1e-10)


def test_fit_converges_on_unlikely_results_of_a_new_entry() -> None:
    """The fit converges for a new entry that won all its matches against much stronger ones.

    A full step would overshoot.
    """
    entries, others = 30, np.arange(1, 30)
    members = np.array([[0, other] for other in others])
    graph = PairGraph.from_pairs(members, entries)
    often = np.full(29, 50.0)
    wins = np.zeros(entries)
    wins[0] = often.sum()
    made = Model(
        wins, graph, graph.expand_pairs(often), [], Prior(np.ones(entries, bool), np.empty(0, int), np.empty(0, int))
    )
    start = np.r_[-20.0, np.full(29, 9.0)]
    found = plackett_luce.fit_strengths(made, start)
    assert np.abs(made.gradient(made.probabilities(found), found)).max() < 1e-8
