"""Evolution plays fair and reproducible games, keeps genes normalized, and resumes exactly where it stopped."""

from __future__ import annotations

import random
from dataclasses import astuple
from pathlib import Path

import pytest

from bots.reversi.house.engine.evaluation import UNIFORM, Weights, create_evaluation
from bots.reversi.training.evolve.playing import Score, openings, play_match
from tests.bots.reversi.positions import random_position

TIMID = Weights(0.02, 0.02, 0.02, 0.0, 0.0, 0.02, 0.92)  # takes as few discs as possible


def test_openings_are_determined_by_their_seed() -> None:
    assert openings(5, 1) == openings(5, 1) != openings(5, 2)
    assert {(own | other).bit_count() for own, other in openings(5, 1)} == {12}


def test_equal_weights_draw_because_every_opening_is_played_from_both_sides() -> None:
    score = play_match(UNIFORM, UNIFORM, openings(3, 1), 1)
    assert score.games == 6
    assert score.share == 0.5


def test_better_weights_win_from_either_side() -> None:
    starts = openings(4, 2)
    ours, theirs = play_match(Weights(), TIMID, starts, 1), play_match(TIMID, Weights(), starts, 1)
    assert ours == Score(theirs.lost, theirs.drawn, theirs.won)
    assert ours.share > 0.5


def test_shares_must_sum_to_one() -> None:
    with pytest.raises(ValueError, match="add up"):
        Weights(position=0.9)


class TestGeneticAlgorithm:
    @pytest.fixture(autouse=True)
    def _extra(self) -> None:
        pytest.importorskip("pygad", reason="the extra `training` is not installed: make training")

    def test_generation_is_derived_from_the_previous_one(self) -> None:
        from bots.reversi.training.evolve.genetic_algorithm import GeneticParameters, first_generation, next_generation

        parameters = GeneticParameters(population=6, copied=1, parents=3)
        generation = first_generation(parameters)
        evaluated: list[tuple[float, ...]] = []

        def fitness(genes: tuple[float, ...]) -> float:
            evaluated.append(genes)
            return genes[1]  # rewards only mobility

        state = random.getstate()
        one = next_generation(generation, 1, fitness, parameters)
        assert one == next_generation(generation, 1, fitness, parameters)
        assert one != next_generation(generation, 2, fitness, parameters)
        random.setstate(state)
        assert all(sum(genes) == pytest.approx(1, abs=1e-6) and min(genes) >= 0 for genes in one)
        assert max(generation, key=lambda genes: genes[1]) in one
        for number in range(1, 12):
            generation = next_generation(generation, number, fitness, parameters)
        assert max(genes[1] for genes in generation) > max(genes[1] for genes in one)

    def test_state_reads_back_equal(self, tmp_path: Path) -> None:
        from bots.reversi.training.evolve.genetic_algorithm import GeneticParameters, first_generation
        from bots.reversi.training.evolve.state import EvolutionState, Generation, read_state

        genes = astuple(UNIFORM)
        state = EvolutionState(first_generation(GeneticParameters()), [Generation(0.6, 0.5, genes)], {genes: 0.5})
        state.write(tmp_path / "new" / "state.json")
        assert read_state(tmp_path / "new" / "state.json") == state
        (tmp_path / "bad.json").write_text("{}")
        with pytest.raises(ValueError, match="no state"):
            read_state(tmp_path / "bad.json")


class TestCompiled:
    @pytest.fixture(autouse=True)
    def _extra(self) -> None:
        pytest.importorskip("numba", reason="the extra `training` is not installed: make training")

    def test_compiled_estimates_equal_the_engines(self) -> None:
        import numpy as np

        from bots.reversi.training.evolve import compiled

        shares = Weights()
        estimate, unit_values = create_evaluation(shares), compiled.unit_values(shares)
        for seed in range(150):
            own, other = random_position(seed, seed % 60)
            assert int(compiled.estimate(np.uint64(own), np.uint64(other), unit_values)) == estimate(own, other)

    def test_better_weights_win(self) -> None:
        from bots.reversi.training.evolve.compiled import play_match

        starts = openings(10, 2)
        score = play_match(Weights(), TIMID, starts, 1)
        assert score.games == 20
        assert score.share > 0.6
