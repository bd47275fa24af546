"""A run learns a winning policy, shows its progress, and resumes from its folder without changing the result."""

from __future__ import annotations

import csv
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots.training.selfplay.checkpoint import CheckpointMismatchError
from bots.training.selfplay.curves import draw_curves
from bots.training.selfplay.environment import Learnable
from bots.training.selfplay.group import single_learner_group
from bots.training.selfplay.job import LearnerJob, run_learner
from bots.training.selfplay.learner import UpdateReport
from bots.training.selfplay.run import Budget, read_models
from tests.bots.training.selfplay.counting import COUNTING, PLAN

pytestmark = pytest.mark.long  # each run compiles separately


def run(
    folder: Path, updates: int, *, resume: bool = False, stop: int = 10**6, game: Learnable = COUNTING
) -> list[str]:
    """Train for ``updates`` updates in total; return the printed lines. The clock advances a second at each reading."""
    folder.mkdir(exist_ok=True)
    lines: list[str] = []
    ticks = count()
    budget = Budget(updates=updates, save_seconds=10, measure_seconds=20)
    job = LearnerJob(game, PLAN, budget, folder, resume=resume, pairs=50)
    run_learner(
        job,
        single_learner_group(),
        None,
        show=lines.append,
        stops=lambda report: report.update >= stop,
        clock=lambda: next(ticks),
    )
    return lines


def arrays(path: Path) -> dict[str, Any]:
    with np.load(path, allow_pickle=False) as file:
        return dict(file)


@pytest.fixture(scope="module")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an uninterrupted run."""
    folder = tmp_path_factory.mktemp("finished_run")
    run(folder, 40)
    return folder


def test_resumed_run_equals_an_uninterrupted_one(finished_run: Path, tmp_path: Path) -> None:
    run(tmp_path, 40, stop=16)
    assert arrays(tmp_path / "checkpoint.npz")["report"][0] < 40
    run(tmp_path, 40, resume=True)
    for name in ("checkpoint.npz", "games-0.npz"):
        found, expected = arrays(tmp_path / name), arrays(finished_run / name)
        assert found.keys() == expected.keys()
        for key, value in expected.items():
            np.testing.assert_array_equal(found[key], value, err_msg=f"{name} {key}")
    assert read_models(tmp_path / "models.npz").keys() >= read_models(finished_run / "models.npz").keys()


def test_run_learns_a_winning_policy(finished_run: Path) -> None:
    with (finished_run / "progress.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert float(rows[-1]["at_random_pairs"]) > 0.9
    assert [int(row["update"]) for row in rows[:40]] == list(range(1, 41))
    assert int(rows[-1]["steps"]) == 40 * PLAN.decisions
    for name in ("entropy", "kl", "explained_variance"):
        assert all(np.isfinite(float(row[name])) for row in rows)
    assert float(rows[-1]["entropy"]) < float(rows[0]["entropy"])


def test_progress_is_printed(tmp_path: Path) -> None:
    lines = run(tmp_path, 4)
    assert lines
    for word in ("steps", "entropy", "KL", "explained variance", "at_random"):
        assert word in lines[-1]


def test_finished_run_does_no_more_updates(finished_run: Path) -> None:
    before = (finished_run / "progress.csv").read_text()
    assert run(finished_run, 40, resume=True) == []
    assert (finished_run / "progress.csv").read_text() == before


def test_checkpoint_of_another_network_is_rejected(finished_run: Path) -> None:
    other = Learnable("counting", COUNTING.environment, COUNTING.opponents, hidden=(8,))
    with pytest.raises(CheckpointMismatchError, match="network"):
        run(finished_run, 80, resume=True, game=other)


def test_file_with_pickles_is_rejected(tmp_path: Path) -> None:
    np.savez(tmp_path / "checkpoint.npz", report=np.array([{}], dtype=object))
    with pytest.raises(ValueError, match="pickle"):
        run(tmp_path, 4, resume=True)


def test_learning_curves_are_saved_as_an_image(finished_run: Path) -> None:
    pytest.importorskip("matplotlib", reason="an extra: make training")
    path = draw_curves(finished_run / "progress.csv")
    assert path is not None
    assert path.read_bytes().startswith(b"\x89PNG")


def test_learners_agree_to_stop_only_at_a_checkpoint(tmp_path: Path) -> None:
    run(tmp_path, 40, stop=3)
    report = UpdateReport(*arrays(tmp_path / "checkpoint.npz")["report"][:3])
    assert report.update % PLAN.redraw == 0
    assert 3 <= report.update <= 6
