from __future__ import annotations

import os
import socket
from datetime import timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from arena.core.sandbox.self_test import Escape
from arena.platform.workers import services
from arena.platform.workers.models import Worker
from arena.platform.workers.services import DELETED_AFTER, OFFLINE_AFTER, WorkerCommands
from tests.platform.workers.workers import NOW, info, status, worker

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(seconds=5)


def test_worker_registers_sends_heartbeats_and_leaves() -> None:
    pk = services.register_worker(info(games=("reversi",)), now=NOW)
    assert services.record_heartbeat(pk, draining=False, now=LATER) == WorkerCommands(drain=False, refused="")
    row = Worker.objects.get()
    assert (row.games, row.queues) == (["reversi"], ["scrimmages.reversi", "matches.reversi"])
    assert (row.started_at, row.heartbeat_at) == (NOW, LATER)
    services.delete_worker(pk)
    assert not Worker.objects.exists()
    assert services.record_heartbeat(pk, draining=False, now=LATER) is None


def test_heartbeat_costs_the_same_in_a_large_fleet(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    workers = [worker(info(pid=pid)) for pid in range(1, 30)]
    with django_assert_num_queries(2):
        services.record_heartbeat(workers[0].pk, draining=False, now=LATER)


def test_dead_worker_is_replaced_by_its_successor_of_the_same_name() -> None:
    """A worker that registers under the name of a dead one takes over its row and resets it.

    In containers, every main process has the same pid, so names repeat.
    """
    worker(sandbox=status(present=False))
    services.request_drain([], now=NOW)
    services.register_worker(info(), now=LATER)
    row = Worker.objects.get()
    assert (row.started_at, row.drain_asked_at, row.refused, row.sandbox) == (LATER, None, "", None)


def test_sandbox_problem_is_the_reason_for_refusing_bots() -> None:
    assert services.refusal_reason(status()) == ""
    assert services.refusal_reason(status(present=False)).startswith("user_namespaces is missing: PermissionError")
    assert services.refusal_reason(status(escapes=(Escape("network", "a socket"),))) == (
        "the self-test found an escape: network: a socket"
    )
    assert services.refusal_reason(status(failure="it died")) == "it died"


def test_pool_reports_a_refusal_to_its_worker() -> None:
    mine = worker(info(host=socket.gethostname(), pid=os.getppid()))
    worker(info(host="elsewhere", pid=os.getppid()))
    services.record_refusal("no fork server")
    assert services.record_heartbeat(mine.pk, draining=False, now=LATER) == WorkerCommands(
        drain=False, refused="no fork server"
    )
    assert Worker.objects.get(host="elsewhere").refused == ""


@pytest.mark.parametrize(
    ("names", "expected"),
    [([], ["alpha:1", "alpha:2", "beta:1"]), (["alpha"], ["alpha:1", "alpha:2"]), (["beta:1"], ["beta:1"])],
)
def test_workers_are_drained_by_host_or_by_name(names: list[str], expected: list[str]) -> None:
    for at in (info(pid=1), info(pid=2), info(host="beta", pid=1)):
        worker(at)
    gone = worker(info(host="gone"), now=NOW - OFFLINE_AFTER * 2)
    assert services.request_drain(names, now=NOW) == expected
    draining = [str(row) for row in Worker.objects.exclude(drain_asked_at=None)]
    assert draining == expected
    assert services.record_heartbeat(gone.pk, draining=False, now=NOW) == WorkerCommands(drain=False, refused="")


def test_dead_workers_are_deleted_after_a_while() -> None:
    worker(info(pid=1), now=NOW - DELETED_AFTER - OFFLINE_AFTER)
    worker(info(pid=2), now=NOW - OFFLINE_AFTER)
    assert services.delete_dead_workers(now=NOW) == 1
    assert Worker.objects.get().pid == 2
