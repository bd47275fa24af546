"""Maintain a worker's row: store heartbeats and sandbox status, and follow commands.

Invariants:

- Nothing here waits for a match; while the database is unavailable, the worker only appears silent.
- A worker that cannot run bots accepts no work that needs them: it stops consuming the queues for such work, and
  rechecks its sandbox periodically.
- A draining worker accepts no work. It requeues matches that are still running after ``drain_seconds``, without
  counting the attempt.
- Clock, sandbox and signals are injected; ``send_heartbeat`` is one iteration of the thread in ``signals``.
"""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from subprocess import SubprocessError

from django.db import DatabaseError, connections

from arena.core.sandbox.status import SandboxStatus
from arena.platform.workers import services
from arena.platform.workers.services import WorkerInfo

logger = logging.getLogger(__name__)

HEARTBEAT = timedelta(seconds=5)
# A missing sandbox may become available at any time; checking takes about a second.
SANDBOX_RECHECK = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class HeartbeatContext:
    """The functions and limits that a heartbeat needs. ``look``: checks the sandbox; None if no bots run here."""

    clock: Callable[[], datetime]
    look: Callable[[], SandboxStatus] | None
    signal_self: Callable[[signal.Signals], None]
    drain_seconds: float


class WorkerHeartbeat:
    """The heartbeat that maintains a running worker's row. Any thread may read ``refuses`` and ``draining``."""

    def __init__(self, info: WorkerInfo, environment: HeartbeatContext) -> None:
        self._info, self._outside = info, environment
        self._id: int | None = None
        self._checked_at: datetime | None = None
        self._drain_until: datetime | None = None
        self._asked_itself, self._cut_off, self._unheard = False, False, False
        self.refuses = False

    @property
    def draining(self) -> bool:
        return self._drain_until is not None

    def drain(self) -> None:
        """Announce that the process is draining, and ensure that it exits in time."""
        if self._drain_until is None:
            self._drain_until = self._outside.clock() + timedelta(seconds=self._outside.drain_seconds)

    def send_heartbeat(self) -> None:
        """Send one heartbeat; failures of the database or the machine are logged, not raised."""
        now = self._outside.clock()
        if self._drain_until is not None and now >= self._drain_until and not self._cut_off:
            self._cut_off = True
            logger.warning("draining takes too long: unfinished jobs return to the queue")
            self._outside.signal_self(signal.SIGQUIT)
        try:
            self._beat(now)
        except (DatabaseError, OSError, SubprocessError) as error:  # from the database, or from the sandbox check
            logger.warning("the worker's heartbeat was not stored: %s", error)
            connections.close_all()
            self._unheard = True
        else:
            if self._unheard:
                logger.warning("the worker's heartbeat is stored again")
            self._unheard = False

    def delete_worker(self) -> None:
        """Delete the worker's row at shutdown; if that fails, the row is left to expire."""
        try:
            if self._id is not None:
                services.delete_worker(self._id)
        except DatabaseError as error:
            logger.warning("the worker's row could not be deleted and will expire: %s", error)
        finally:
            connections.close_all()

    def _beat(self, now: datetime) -> None:
        if self._id is None:
            self._id, self._checked_at = services.register_worker(self._info, now=now), None
        commands = services.record_heartbeat(self._id, draining=self.draining, now=now)
        if commands is None:  # the table was cleared
            self._id = None
            return
        if commands.drain and not self._asked_itself:
            self._asked_itself = True
            self._outside.signal_self(signal.SIGTERM)
        self.refuses = bool(commands.refused)
        if self._outside.look is not None and self._must_check_sandbox(now):
            self._checked_at = now
            self._report_sandbox(self._id, self._outside.look())

    def _must_check_sandbox(self, now: datetime) -> bool:
        if self._checked_at is None:
            return True
        return self.refuses and not self.draining and now - self._checked_at >= SANDBOX_RECHECK

    def _report_sandbox(self, worker_id: int, found: SandboxStatus) -> None:
        refused = services.report_sandbox(worker_id, found)
        if refused:
            logger.error("this worker cannot run bots: %s", refused)
        elif self.refuses:
            logger.info("this worker can run bots again")
        self.refuses = bool(refused)
