"""A worker touches its heartbeat file as long as it consumes tasks."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from arena.platform.workers.liveness import TOUCH_SECONDS, HeartbeatFile, Liveness

LONG_AGO = 1_000_000_000


class Timer:
    """A minimal fake of Celery's timer: ``tick`` runs the registered calls."""

    def __init__(self) -> None:
        self.calls: list[tuple[float, Any]] = []
        self.cancelled = 0

    def call_repeatedly(self, seconds: float, function: Any) -> Timer:
        self.calls.append((seconds, function))
        return self

    def cancel(self) -> None:
        self.cancelled += 1

    def tick(self) -> None:
        for _, function in self.calls:
            function()


class Consumer:
    def __init__(self) -> None:
        self.timer = Timer()


def age(path: Path) -> float:
    return time.time() - path.stat().st_mtime


def test_consuming_worker_keeps_its_file_fresh(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "heartbeat"
    settings.WORKER_HEARTBEAT_FILE = str(path)
    consumer = Consumer()
    step = Liveness(consumer)
    step.start(consumer)
    assert path.exists()
    assert [seconds for seconds, _ in consumer.timer.calls] == [TOUCH_SECONDS]

    os.utime(path, (LONG_AGO, LONG_AGO))
    consumer.timer.tick()
    assert age(path) < 60
    step.stop(consumer)
    assert consumer.timer.cancelled == 1


def test_without_a_file_nothing_is_touched(settings: Settings) -> None:
    settings.WORKER_HEARTBEAT_FILE = ""
    consumer = Consumer()
    Liveness(consumer).start(consumer)
    consumer.timer.tick()


def test_unwritable_file_is_reported_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = tmp_path / "missing"
    file = HeartbeatFile(str(folder / "heartbeat"))
    file.touch()
    file.touch()
    assert len(caplog.messages) == 1
    folder.mkdir()
    file.touch()
    assert (folder / "heartbeat").exists()
