"""The shipped levels give the same results in NumPy and JAX, have one small weights file, and increase in strength."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from arena.core.sandbox.uploads.module_package import read_module
from arena.games.suit_pairs.rules import GAME
from bots.cli.errors import CommandError
from bots.cli.locate import house_bots
from bots.suit_pairs import house
from bots.suit_pairs.house.levels import LEVELS
from bots.suit_pairs.house.policy.network import Network
from bots.suit_pairs.house.policy.player import PolicyPlayer
from bots.suit_pairs.house.policy.weights import FILE, weights_of
from bots.suit_pairs.training import evaluation
from bots.suit_pairs.training.export import choose_models, export_models
from bots.training.selfplay.evaluation import EvaluationRow
from bots.training.selfplay.network import evaluate
from bots.training.selfplay.run import MODELS, write_models
from tests.bots.suit_pairs.sdk.test_sdk import received_state, states

DECISIONS = [received_state(state) for seed in range(3) for state in states(seed)[:-1]]


@pytest.mark.long
@pytest.mark.parametrize("level", range(1, 6))
def test_numpy_and_jax_compute_the_same_network(level: int) -> None:
    weights = weights_of(level)
    vectors = np.array([state.vector for state in DECISIONS], dtype=np.float32)
    logits, values = Network(weights).logits(vectors)
    their_logits, their_values = evaluate(weights, vectors)
    np.testing.assert_allclose(logits, their_logits, atol=1e-3)
    np.testing.assert_allclose(values, their_values, atol=1e-3)


def test_level_answers_legally_and_rates_only_legal_actions() -> None:
    class Level(PolicyPlayer):
        level = 3

    network = Network(weights_of(3))
    player = Level()
    for state in DECISIONS:
        assert state.mask[player.get_move(state)]
        shares, value = network.judge(state.vector, state.mask)
        assert shares.sum() == pytest.approx(1)
        assert not shares[~np.array(state.mask)].any()
        assert abs(value) < 20


def test_levels_upload_with_one_small_weights_file() -> None:
    assert FILE.stat().st_size < 2_000_000
    folder = FILE.parents[1]
    for name in LEVELS:
        package = read_module(folder / "levels" / f"{name}.py", folder)
        assert "house/policy/weights.npz" in {file.path for file in package.files}
    with np.load(FILE, allow_pickle=False) as file:
        assert {array.dtype for array in file.values()} == {np.dtype(np.float16)}
    assert house.__doc__


def test_levels_can_be_named_in_the_terminal() -> None:
    assert set(LEVELS) <= set(house_bots(GAME.name))


def test_table_has_rows_for_each_opponent_and_the_level_below(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    requested: list[tuple[int, int]] = []

    def rows(pairs: int, seed: int) -> list[EvaluationRow]:
        requested.append((pairs, seed))
        return [EvaluationRow("level1", "random", pairs, 0.5, 0.4, 0.6)]

    monkeypatch.setattr(evaluation, "level_rows", rows)
    evaluation.main(["--json"])
    evaluation.main(["--pairs", "30"])
    shown = capsys.readouterr().out
    assert requested == [(2000, 1), (30, 1)]
    assert json.loads(shown[: shown.index("]") + 1]) == [
        {"player": "level1", "opponent": "random", "pairs": 2000, "rate": 0.5, "low": 0.4, "high": 0.6}
    ]
    assert "0.400 to 0.600" in shown


def test_newest_model_of_a_run_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    requested: list[tuple[dict[str, float], int, int]] = []

    def evaluate_levels(
        game: object, levels: dict[str, dict[str, np.ndarray]], pairs: int, seed: int
    ) -> list[EvaluationRow]:
        requested.append(({name: float(model["b0"][0]) for name, model in levels.items()}, pairs, seed))
        return []

    monkeypatch.setattr(evaluation, "evaluate_levels", evaluate_levels)
    write_models(tmp_path / MODELS, {steps: {"b0": np.array([steps], np.float16)} for steps in (5, 40, 12)})
    evaluation.main(["--run", str(tmp_path), "--pairs", "30", "--seed", "7"])
    assert requested == [({tmp_path.name: 40.0}, 30, 7)]


def test_folder_without_a_run_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(CommandError) as refused:
        evaluation.main(["--run", str(tmp_path)])
    assert refused.value.code == "no_run"


@pytest.mark.long
def test_shipped_levels_reach_their_goals() -> None:
    """The win rates reach thresholds that allow for the sampling error of 500 pairs; ``evaluate`` plays 2000 pairs."""
    found = evaluation.level_rows(500, seed=3)
    rates = {(row.player, row.opponent): row.rate for row in found}
    assert len(found) == 5 * 3 + 4
    assert rates["level5", "random"] >= 0.99
    assert rates["level5", "greedy"] >= 0.75
    assert rates["level5", "greedy_rank"] >= 0.65
    for lower, higher in pairwise(LEVELS):
        assert rates[higher, lower] >= 0.60


@pytest.mark.long
def test_levels_are_chosen_at_even_steps_and_shipped_unchanged(tmp_path: Path) -> None:
    models = {steps: {k: v.astype(np.float16) for k, v in weights_of(steps).items()} for steps in range(1, 6)}
    assert choose_models(models, 5, pairs=20) == [1, 2, 3, 4, 5]
    target = tmp_path / "weights.npz"
    export_models(list(models.values()), target)
    with np.load(target, allow_pickle=False) as written, np.load(FILE, allow_pickle=False) as shipped:
        assert sorted(written.files) == sorted(shipped.files)
        assert all((written[name] == shipped[name]).all() for name in written.files)
