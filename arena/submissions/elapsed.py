"""How long a check has waited, and how long its running step has taken.

A step is stored with the time at which it began; readers are told seconds, because their clocks are not ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from arena.core.referee.check_report import StepState


def begun(step: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """A step as it is stored; one that runs with its beginning."""
    return {**step, "since": now.timestamp()} if step["state"] == StepState.RUNNING else dict(step)


def with_elapsed(steps: Iterable[Mapping[str, Any]], now: datetime) -> list[dict[str, Any]]:
    """Stored steps; one that runs with the seconds that it has taken so far."""
    return [
        {**step, "elapsed": max(0, round(now.timestamp() - step["since"]))}
        if step["state"] == StepState.RUNNING and "since" in step
        else dict(step)
        for step in steps
    ]


def shown_steps(steps: Iterable[Mapping[str, Any]], now: datetime, *, waiting: bool) -> list[dict[str, Any]]:
    """The steps that a page shows: while a check waits for its next attempt, none of the attempt before."""
    return [] if waiting else with_elapsed(steps, now)


def waited(asked_at: datetime, now: datetime) -> int:
    """Whole seconds since a check was asked for."""
    return max(0, round((now - asked_at).total_seconds()))
