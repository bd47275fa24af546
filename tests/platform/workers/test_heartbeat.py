"""A worker's heartbeat, tested with a fake clock, sandbox and signal handler."""

from __future__ import annotations

import signal
from datetime import datetime, timedelta

import pytest
from django.db import DatabaseError

from arena.core.sandbox.status import SandboxStatus
from arena.platform.workers import services
from arena.platform.workers.heartbeat import SANDBOX_RECHECK, HeartbeatContext, WorkerHeartbeat
from arena.platform.workers.models import Worker
from tests.platform.workers.workers import NOW, info, status

pytestmark = pytest.mark.django_db
DRAIN_SECONDS = 100


class Machine:
    """A manual clock, a sandbox that can be repaired, and a record of the signals sent."""

    def __init__(self, found: SandboxStatus) -> None:
        self.now, self.found, self.looks = NOW, found, 0
        self.signals: list[signal.Signals] = []

    def clock(self) -> datetime:
        return self.now

    def look(self) -> SandboxStatus:
        self.looks += 1
        return self.found

    def heartbeat(self, *, runs_bots: bool = True) -> WorkerHeartbeat:
        look = self.look if runs_bots else None
        return WorkerHeartbeat(info(), HeartbeatContext(self.clock, look, self.signals.append, DRAIN_SECONDS))


def test_worker_registers_probes_once_and_sends_heartbeats() -> None:
    machine = Machine(status())
    heartbeat = machine.heartbeat()
    for _ in range(30):
        heartbeat.send_heartbeat()
        machine.now += timedelta(seconds=5)
    row = Worker.objects.get()
    assert machine.looks == 1
    assert row.heartbeat_at == machine.now - timedelta(seconds=5)
    assert SandboxStatus.from_json(row.sandbox or {}) == status()
    assert not heartbeat.refuses
    heartbeat.delete_worker()
    assert not Worker.objects.exists()


def test_worker_refuses_bots_until_a_sandbox_is_available() -> None:
    machine = Machine(status(present=False))
    heartbeat = machine.heartbeat()
    heartbeat.send_heartbeat()
    assert heartbeat.refuses
    machine.found = status()
    machine.now += SANDBOX_RECHECK / 2
    heartbeat.send_heartbeat()
    assert (heartbeat.refuses, machine.looks) == (True, 1)
    machine.now += SANDBOX_RECHECK
    heartbeat.send_heartbeat()
    assert (heartbeat.refuses, machine.looks) == (False, 2)
    assert Worker.objects.get().refused == ""


def test_refusal_of_the_pool_is_respected() -> None:
    machine = Machine(status())
    heartbeat = machine.heartbeat()
    heartbeat.send_heartbeat()
    Worker.objects.update(refused="no fork server")
    machine.now += timedelta(seconds=5)
    heartbeat.send_heartbeat()
    assert heartbeat.refuses
    machine.now += SANDBOX_RECHECK
    heartbeat.send_heartbeat()
    assert not heartbeat.refuses


def test_worker_without_bots_needs_no_sandbox() -> None:
    machine = Machine(status(present=False))
    heartbeat = machine.heartbeat(runs_bots=False)
    heartbeat.send_heartbeat()
    assert (heartbeat.refuses, machine.looks) == (False, 0)
    assert Worker.objects.get().sandbox is None


def test_drain_request_stops_the_worker_once() -> None:
    machine = Machine(status())
    heartbeat = machine.heartbeat()
    heartbeat.send_heartbeat()
    services.request_drain([], now=NOW)
    heartbeat.send_heartbeat()
    heartbeat.send_heartbeat()
    assert machine.signals == [signal.SIGTERM]


def test_slow_drain_is_cut_off() -> None:
    machine = Machine(status())
    heartbeat = machine.heartbeat()
    heartbeat.send_heartbeat()
    heartbeat.drain()
    heartbeat.send_heartbeat()
    assert Worker.objects.get().draining
    machine.now += timedelta(seconds=DRAIN_SECONDS - 1)
    heartbeat.drain()
    heartbeat.send_heartbeat()
    assert machine.signals == []
    machine.now += timedelta(seconds=1)
    heartbeat.send_heartbeat()
    heartbeat.send_heartbeat()
    assert machine.signals == [signal.SIGQUIT]


def test_worker_registers_again_after_its_row_was_deleted() -> None:
    machine = Machine(status(present=False))
    heartbeat = machine.heartbeat()
    heartbeat.send_heartbeat()
    Worker.objects.all().delete()
    heartbeat.send_heartbeat()
    heartbeat.send_heartbeat()
    assert Worker.objects.get().refused


class MachineWithoutDatabase(Machine):
    """A machine that loses the database in the middle of a heartbeat.

    The error comes from the sandbox check, the only external call between the two writes of a heartbeat.
    """

    def look(self) -> SandboxStatus:
        super().look()
        raise DatabaseError("gone")


@pytest.mark.django_db(transaction=True)
def test_database_outage_does_not_end_the_heartbeat(caplog: pytest.LogCaptureFixture) -> None:
    machine = MachineWithoutDatabase(status())
    heartbeat = machine.heartbeat()
    heartbeat.send_heartbeat()
    machine.now += timedelta(seconds=5)
    heartbeat.send_heartbeat()
    assert Worker.objects.get().heartbeat_at == machine.now
    failed, recovered = caplog.records
    assert (failed.levelname, recovered.levelname) == ("WARNING", "WARNING")
    assert failed.getMessage().endswith(": gone")
