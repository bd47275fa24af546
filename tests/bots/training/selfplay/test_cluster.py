"""Learners and samplers run as actors of a local Ray cluster; these tests need the extra ``cluster``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import pytest

from bots.training.selfplay.job import LearnerJob
from bots.training.selfplay.network import initial_weights
from bots.training.selfplay.pool import to_half_precision
from bots.training.selfplay.progress import read_rows
from bots.training.selfplay.remote import RemoteSamplers
from bots.training.selfplay.run import Budget
from tests.bots.training.selfplay.counting import COUNTING, PLAN

ray = pytest.importorskip("ray", reason='the extra `cluster` is not installed: pip install ".[cluster]"')
pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[4]


@pytest.fixture(autouse=True)
def reachable(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let actors import this checkout, as they would import an installed package."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    yield
    ray.shutdown()


def test_one_command_trains_with_two_learners_and_three_samplers(tmp_path: Path) -> None:
    from bots.training.selfplay.cluster import train_on_cluster

    train_on_cluster(
        LearnerJob(COUNTING, PLAN, Budget(updates=10), tmp_path, learners=2, samplers=3, pairs=50), "local"
    )
    _, rows = read_rows(tmp_path / "progress.csv")
    assert [int(row["update"]) for row in rows[:10]] == list(range(1, 11))
    assert int(rows[-1]["steps"]) == 10 * 2 * PLAN.decisions
    assert (tmp_path / "checkpoint.npz").exists()


def test_training_continues_after_an_actor_is_killed(tmp_path: Path) -> None:
    from bots.training.selfplay.cluster import ActorLink, SamplerActor, wait_for_actors

    ray.init(num_cpus=2, include_dashboard=False)
    job = LearnerJob(COUNTING, PLAN, Budget(updates=10), tmp_path, samplers=2)
    actor: Any = ray.remote(num_cpus=1)(SamplerActor)
    links = [ActorLink(actor.remote(job, number)) for number in range(2)]
    parameters = initial_weights(jax.random.key(0), 4, (16,), 3)
    samplers = RemoteSamplers(links, wait_for_actors, 2)
    assert len(samplers.play(1, parameters, [to_half_precision(parameters)] * PLAN.opponents_at_once)) == 2
    ray.kill(links[0].handle)
    for update in range(2, 4):
        assert len(samplers.play(update, parameters, None)) == 2
    assert samplers.alive == 1
    samplers.close()
