"""A worker that stops because of an error exits within a deadline."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from celery.worker import WorkController
from celery.worker.components import Consumer

from arena.celery import app
from arena.platform.workers.exit_deadline import EXIT_SECONDS, ExitDeadline


@pytest.mark.parametrize(("exitcode", "started"), [(1, [EXIT_SECONDS]), (0, []), (None, [])])
def test_only_an_error_starts_the_deadline(exitcode: int | None, started: list[float]) -> None:
    timers: list[float] = []

    def start_timer(seconds: float, action: Callable[[], None]) -> None:
        timers.append(seconds)

    worker = SimpleNamespace(exitcode=exitcode, steps=[])
    ExitDeadline(worker, start_timer).close(worker)
    assert timers == started


def test_deadline_step_starts_before_the_consumer() -> None:
    """The exit-deadline step starts before the consumer.

    Celery stops steps only after all have started, and starting the consumer blocks.
    """
    blueprint = WorkController.Blueprint(steps=app.steps["worker"])
    blueprint.steps = blueprint.claim_steps()
    order = [step.name for step in blueprint._finalize_steps(blueprint.steps)]
    assert ExitDeadline.name in order[:-1]
    assert order[-1] == Consumer.name
