"""In real processes, learners keep identical parameters, and training survives the loss of samplers."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from bots.training.selfplay.group import join_group
from bots.training.selfplay.job import LearnerJob, run_learner
from bots.training.selfplay.network import initial_weights
from bots.training.selfplay.pool import to_half_precision
from bots.training.selfplay.processes import TrainingError, free_port, start_samplers, train
from bots.training.selfplay.run import Budget, LearnerRun
from tests.bots.training.selfplay.counting import COUNTING, PLAN

UPDATES = 50
pytestmark = pytest.mark.long  # every process compiles separately


def job(folder: Path, **others: int) -> LearnerJob:
    return LearnerJob(COUNTING, PLAN, Budget(updates=UPDATES), folder, pairs=0, **others)


def learner(folder: Path, rank: int, address: str) -> None:
    """Run a learner process that saves its final state."""
    group = join_group(address, rank, 2)
    saved = LearnerRun.save

    def save(self: LearnerRun) -> None:
        state = self._learner.state
        np.savez(folder / f"state-{rank}.npz", *(np.asarray(leaf) for leaf in jax.tree.leaves(state)))
        saved(self)

    LearnerRun.save = save  # type: ignore[method-assign]
    run_learner(job(folder, learners=2), group, None, show=lambda line: None)
    group.leave()


def test_two_learners_have_identical_parameters_after_50_updates(tmp_path: Path) -> None:
    address = f"127.0.0.1:{free_port()}"
    spawn = get_context("spawn")
    processes = [spawn.Process(target=learner, args=(tmp_path, rank, address)) for rank in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    with np.load(tmp_path / "state-0.npz") as first, np.load(tmp_path / "state-1.npz") as second:
        assert len(first.files) > 6
        for name in first.files:
            np.testing.assert_array_equal(first[name], second[name])
    games = [np.load(tmp_path / f"games-{rank}.npz") for rank in range(2)]
    assert any((games[0][name] != games[1][name]).any() for name in games[0].files)  # each learner plays its own games


def test_training_continues_after_samplers_are_killed(tmp_path: Path) -> None:
    parameters = initial_weights(jax.random.key(0), 4, (16,), 3)
    past = [to_half_precision(parameters)] * PLAN.opponents_at_once
    samplers = start_samplers(job(tmp_path, samplers=3), range(3))
    try:
        assert len(samplers.play(1, parameters, past)) == 3
        links = [*samplers._idle]
        links[0].process.kill()  # type: ignore[attr-defined]
        links[2].process.kill()  # type: ignore[attr-defined]
        for update in range(2, 5):
            assert len(samplers.play(update, parameters, None)) == 3
        assert samplers.alive == 1
    finally:
        samplers.close()


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
def test_learners_save_and_stop_when_their_command_is_killed(sent: signal.Signals, tmp_path: Path) -> None:
    endless = replace(job(tmp_path), budget=Budget(updates=10**9))
    command = get_context("spawn").Process(target=train, args=(endless,))
    command.start()
    assert command.pid is not None
    (learner,) = wait_for(lambda: learner_pids(command.pid))
    wait_for(lambda: (tmp_path / "progress.csv").exists())  # learning has started
    os.kill(command.pid, sent)
    wait_for(lambda: not Path(f"/proc/{learner}").exists())
    assert (tmp_path / "checkpoint.npz").exists()


def learner_pids(pid: int | None) -> list[int]:
    """Return the process ids of a command's learners, excluding multiprocessing's resource tracker."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(one) for one in found if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]


def wait_for(found: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + 300
    while not (value := found()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return value


def test_failed_learner_reports_the_reason(tmp_path: Path) -> None:
    failing = replace(job(tmp_path), resume=True)
    with pytest.raises(TrainingError, match=r"checkpoint\.npz"):
        train(failing)
