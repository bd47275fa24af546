"""Learning patterns: the compiled code agrees with the engine, and fitting recovers known weights."""

from __future__ import annotations

import random

import pytest

from bots.reversi.house.engine import bitboard, patterns
from bots.reversi.house.engine.evaluation import final_lead
from tests.bots.reversi.positions import random_position

np = pytest.importorskip("numpy", reason="numpy is not installed: make develop")
pytest.importorskip("numba", reason="the extra `training` is not installed: make training")


def uint64(*squares: int) -> list[object]:
    return [np.uint64(one) for one in squares]


def test_compiled_rules_agree_with_the_engine() -> None:
    from bots.reversi.training.patterns import compiled

    found = np.empty(compiled.COUNT, dtype=np.int32)
    for seed in range(120):
        own, other = random_position(seed, seed // 2)
        mine, theirs = uint64(own, other)
        assert int(compiled.legal_moves(mine, theirs)) == bitboard.legal_moves(own, other)
        for move in bitboard.iterate_squares(bitboard.legal_moves(own, other)):
            assert int(compiled.discs_flipped_by(mine, theirs, np.uint64(move))) == bitboard.discs_flipped_by(
                own, other, move
            )
        compiled.fill_pattern_indices(mine, theirs, found)
        assert tuple(found.tolist()) == patterns.pattern_indices(own, other)
        assert int(compiled.final_lead(mine, theirs)) == final_lead(own, other)


def test_games_are_reproducible_by_seed_with_exact_labels() -> None:
    from bots.reversi.house.engine.endgame import Endgame
    from bots.reversi.house.engine.table import TranspositionTable
    from bots.reversi.training.patterns.compiled import WEIGHTS
    from bots.reversi.training.patterns.learning import expand_weights
    from bots.reversi.training.patterns.selfplay import play_games

    weights = expand_weights(np.zeros((patterns.STAGES, WEIGHTS), dtype=np.float32))
    positions, labels = play_games(1, 4, 1, 8, 0.5, 0.9, weights)
    again, _ = play_games(1, 4, 1, 8, 0.5, 0.9, weights)
    assert (positions == again).all()
    assert positions.tolist() != play_games(2, 4, 1, 8, 0.5, 0.9, weights)[0].tolist()
    solved = 0
    for (own, other), label in zip(positions.tolist(), labels.tolist(), strict=True):
        if (own | other).bit_count() >= 56:
            assert Endgame(TranspositionTable()).value(own, other, -64, 64) == label / 100
            solved += 1
    assert solved > 10


def test_fitting_recovers_the_weights_behind_the_labels() -> None:
    from bots.reversi.training.patterns.compiled import WEIGHTS
    from bots.reversi.training.patterns.fitting import fit_stage, weight_indices

    chance = random.Random(1)
    positions = np.array([random_position(chance.randrange(10**6), 30) for _ in range(300)], dtype=np.uint64)
    true = np.random.default_rng(1).normal(0, 50, WEIGHTS).astype(np.float32)
    labels = true[weight_indices(positions)].sum(axis=1)
    _, before = fit_stage(positions, labels, np.zeros(WEIGHTS), 1)
    _, after = fit_stage(positions, labels, np.zeros(WEIGHTS), 100)
    assert after < before / 3
