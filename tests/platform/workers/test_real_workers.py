"""Real workers register, claim only matches of the games in their labels, refuse bots they cannot jail, and drain."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator

import pytest

from tests.platform.workers.real_workers import WorkerCluster, running_site
from tests.running_site import eventually

pytestmark = pytest.mark.stack
PACE = 0.05  # a Reversi match takes about three seconds


@pytest.fixture(scope="module")
def site() -> Iterator[WorkerCluster]:
    with running_site() as running:
        yield running


@pytest.fixture(autouse=True)
def no_worker_is_left(site: WorkerCluster) -> Iterator[None]:
    yield
    site.end_workers()
    site.change("DELETE FROM workers_worker")
    site.change("UPDATE matches_match SET status = 'cancelled' WHERE status <> 'finished'")


def worker_rows(site: WorkerCluster) -> list[tuple[object, ...]]:
    return site.rows("SELECT games, queues, draining, refused, sandbox FROM workers_worker")


def test_worker_claims_only_games_of_its_labels(site: WorkerCluster) -> None:
    (other,) = site.queue("golden_point", "steady")
    (own,) = site.queue("reversi", "random_move")
    worker = site.start("-Q", "matches,scrimmages", WORKER_GAMES="reversi")
    site.await_match(own, "finished")
    assert site.match(other) == ("queued", 0)

    eventually(lambda: worker_rows(site)[0][4] is not None, f"no report of the sandbox: {worker.output()}")
    games, queues, draining, refused, sandbox = worker_rows(site)[0]
    assert json.loads(str(games)) == ["reversi"]
    assert json.loads(str(queues)) == ["scrimmages.reversi", "matches.reversi"]
    assert (draining, refused) == (0, "")
    assert json.loads(str(sandbox))["usable"]
    assert "ready" in site.manage("workers", "status")

    site.start("-Q", "scrimmages", WORKER_GAMES="golden_point")
    site.await_match(other, "finished")


def test_signalled_worker_finishes_its_match_and_claims_no_more(site: WorkerCluster) -> None:
    playing, waiting = site.queue("reversi", "random_move", 2, pace=PACE)
    worker = site.start("-Q", "scrimmages")
    site.await_match(playing, "running")
    worker.send(signal.SIGTERM)
    eventually(lambda: [row[2] for row in worker_rows(site)] == [1], "not shown as draining")
    assert worker.await_end() == 0, worker.output()
    assert site.match(playing) == ("finished", 1)
    assert site.match(waiting) == ("queued", 0)
    assert worker_rows(site) == []


def test_heartbeat_file_is_touched_while_consuming_and_draining(site: WorkerCluster) -> None:
    """Celery's event loop touches the file; once the loop has ended during a drain, the heartbeat thread does."""
    (playing,) = site.queue("reversi", "random_move", pace=1.0)
    path = site.folder / "heartbeat"
    worker = site.start("-Q", "scrimmages", WORKER_HEARTBEAT_FILE=str(path))
    site.await_match(playing, "running")
    for draining in (False, True):
        os.utime(path, (0, 0))
        eventually(lambda: path.stat().st_mtime > 0, f"not touched, draining: {draining}: {worker.output()}")
        if not draining:
            worker.send(signal.SIGTERM)
            eventually(lambda: [row[2] for row in worker_rows(site)] == [1], "not shown as draining")
    assert site.match(playing)[0] == "running"


def test_operator_drains_workers_remotely(site: WorkerCluster) -> None:
    (playing,) = site.queue("reversi", "random_move", pace=PACE)
    worker = site.start("-Q", "scrimmages")
    site.await_match(playing, "running")
    assert "draining: " in site.manage("workers", "drain", "--wait")
    assert worker.await_end() == 0, worker.output()
    assert site.match(playing) == ("finished", 1)


def test_matches_are_released_when_draining_takes_too_long(site: WorkerCluster) -> None:
    (playing,) = site.queue("reversi", "random_move", pace=30.0)
    worker = site.start("-Q", "scrimmages", WORKER_DRAIN_SECONDS="1")
    site.await_match(playing, "running")
    worker.send(signal.SIGTERM)
    worker.await_end()
    assert site.match(playing) == ("queued", 0), worker.output()


def test_worker_that_cannot_run_bots_leaves_matches_to_others(site: WorkerCluster) -> None:
    """A worker that cannot run bots stops consuming their queues, and another worker plays the match.

    The first worker runs in a user namespace that maps a single user, where root cannot switch to another user.
    """
    broken = site.start("-Q", "scrimmages", below=("unshare", "--user", "--map-root-user"))
    eventually(lambda: "cannot run bots" in broken.output(), f"it does not refuse: {broken.output()}")
    assert "ordinary_user is missing" in site.rows("SELECT refused FROM workers_worker")[0][0]
    eventually(lambda: "Canceling queue scrimmages.golden_point" in broken.output(), "it continues to consume")
    received = broken.output().count(" received")
    (waiting,) = site.queue("reversi", "random_move")
    site.start("-Q", "scrimmages")
    site.await_match(waiting, "finished")
    assert site.match(waiting) == ("finished", 1)
    assert broken.output().count(" received") == received


def test_worker_claims_bot_matches_again_once_permitted(site: WorkerCluster) -> None:
    worker = site.start("-Q", "scrimmages")
    eventually(lambda: [row[4] for row in worker_rows(site)] not in ([], [None]), "it does not look at its sandbox")
    site.change("UPDATE workers_worker SET refused = 'on purpose'")
    eventually(lambda: "Canceling queue scrimmages.reversi" in worker.output(), "it continues to consume")
    (waiting,) = site.queue("reversi", "random_move")
    site.change("UPDATE workers_worker SET refused = ''")
    site.await_match(waiting, "finished")
    assert "Started consuming from scrimmages.reversi" in worker.output()
