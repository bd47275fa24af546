"""Tie a worker's heartbeat to the lifetime of its Celery main process.

Invariants: only the heartbeat's own thread uses the database, never Celery's event loop; once a second, the event
loop checks whether to start or stop consuming queues. The pool is forked before the thread starts.
"""

from __future__ import annotations

import os
import socket
import threading
from typing import Any

from celery import bootsteps
from celery.signals import worker_ready, worker_shutdown, worker_shutting_down
from django.conf import settings
from django.db import connections
from django.utils import timezone

from arena.celery import app, runs_bots
from arena.core.sandbox.status import probe_status
from arena.platform.workers.code import code_version
from arena.platform.workers.exit_deadline import ExitDeadline
from arena.platform.workers.heartbeat import HEARTBEAT, HeartbeatContext, WorkerHeartbeat
from arena.platform.workers.jail_settings import sandbox_config
from arena.platform.workers.liveness import HeartbeatFile, Liveness
from arena.platform.workers.services import WorkerInfo

SUSPENSION_CHECK_SECONDS = 1.0


class _Thread(threading.Thread):
    """A thread that sends the heartbeat repeatedly, and immediately after a change, until the worker exits."""

    def __init__(self, heartbeat: WorkerHeartbeat, heartbeat_file: HeartbeatFile) -> None:
        super().__init__(name="worker-heartbeat", daemon=True)
        self.heartbeat, self._file = heartbeat, heartbeat_file
        self._woken, self._ended = threading.Event(), threading.Event()

    def run(self) -> None:
        try:
            while not self._ended.is_set():
                self._woken.clear()
                if self.heartbeat.draining:
                    self._file.touch()
                self.heartbeat.send_heartbeat()
                self._woken.wait(HEARTBEAT.total_seconds())
        finally:
            connections.close_all()

    def wake(self) -> None:
        self._woken.set()

    def end(self, *, wait: float = HEARTBEAT.total_seconds()) -> None:
        self._ended.set()
        self.wake()
        self.join(wait)


_thread: _Thread | None = None


class QueueSuspension(bootsteps.StartStopStep):
    """A Celery bootstep that, while the worker refuses bots, stops consuming the queues whose tasks run bots."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, c: Any, **options: object) -> None:
        super().__init__(c, **options)
        self._queues: list[str] = []

    def start(self, c: Any) -> None:
        """Start the timer.

        Called again after each reconnection to the broker, when all queues are being consumed again.
        """
        self._queues = self._queues or [name for name in c.app.amqp.queues.consume_from if runs_bots(name)]
        self._timer = c.timer.call_repeatedly(SUSPENSION_CHECK_SECONDS, self._suspend, (c,))

    def stop(self, c: Any) -> None:
        self._timer.cancel()

    def _suspend(self, c: Any) -> None:
        if _thread is None or _thread.heartbeat.draining:
            return
        for queue in self._queues:
            consuming = c.task_consumer.consuming_from(queue)
            if _thread.heartbeat.refuses and consuming:
                c.cancel_task_queue(queue)
            elif not _thread.heartbeat.refuses and not consuming:
                c.add_task_queue(queue)


def connect() -> None:
    """Connect the signals, which only workers send; called once when the app is ready."""
    app.steps["consumer"].update([QueueSuspension, Liveness])
    app.steps["worker"].add(ExitDeadline)
    worker_ready.connect(_on_worker_ready)
    worker_shutting_down.connect(_on_shutting_down)
    worker_shutdown.connect(_on_worker_shutdown)


def _on_worker_ready(sender: Any = None, **_: object) -> None:
    global _thread
    queues = tuple(sender.app.amqp.queues.consume_from)
    info = WorkerInfo(
        host=socket.gethostname(),
        pid=os.getpid(),
        queues=queues,
        games=tuple(settings.WORKER_GAMES),
        concurrency=sender.controller.concurrency,
        version=code_version(),
    )
    environment = HeartbeatContext(
        clock=timezone.now,
        look=(lambda: probe_status(sandbox_config())) if any(map(runs_bots, queues)) else None,
        signal_self=lambda number: os.kill(os.getpid(), number),
        drain_seconds=settings.WORKER_DRAIN_SECONDS,
    )
    _thread = _Thread(WorkerHeartbeat(info, environment), HeartbeatFile(settings.WORKER_HEARTBEAT_FILE))
    _thread.start()


def _on_shutting_down(how: str = "", **_: object) -> None:
    """Drain the worker; during a cold shutdown, also delete its row, because there is no later opportunity.

    Runs inside a signal handler.
    """
    if _thread is None:
        return
    _thread.heartbeat.drain()
    _thread.wake()
    if how == "Cold":
        _thread.end(wait=0)
        _thread.heartbeat.delete_worker()


def _on_worker_shutdown(**_: object) -> None:
    if _thread is not None:
        _thread.end()
        _thread.heartbeat.delete_worker()
