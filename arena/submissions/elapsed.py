"""Elapsed times of checks: since the request, and since the start of the running step.

A step is stored with its start time; readers get elapsed seconds, because their clocks may differ from the server's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from arena.core.referee.check_report import StepState


def with_start_time(step: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """Return a step in the form in which it is stored; a running step also has its start time."""
    return {**step, "since": now.timestamp()} if step["state"] == StepState.RUNNING else dict(step)


def with_elapsed(steps: Iterable[Mapping[str, Any]], now: datetime) -> list[dict[str, Any]]:
    """Return the stored steps for display; a running step also gets the elapsed seconds."""
    return [
        {**step, "elapsed": max(0, round(now.timestamp() - step["since"]))}
        if step["state"] == StepState.RUNNING and "since" in step
        else dict(step)
        for step in steps
    ]


def shown_steps(steps: Iterable[Mapping[str, Any]], now: datetime, *, waiting: bool) -> list[dict[str, Any]]:
    """Return the steps to show; empty while a check waits for its next attempt."""
    return [] if waiting else with_elapsed(steps, now)


def seconds_waited(asked_at: datetime, now: datetime) -> int:
    """Return the number of whole seconds since a check was requested."""
    return max(0, round((now - asked_at).total_seconds()))
