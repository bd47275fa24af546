"""Hint workload for the workers page. The games themselves are counted as matches."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from arena.celery import Queue
from arena.matches.models import MatchStatus
from arena.platform.workers.work import Backlog, RunningJob, WorkSource
from arena.play.models import Hint, HintStatus


def running_jobs() -> list[RunningJob]:
    """Return an empty list: a hint takes two seconds, and its lease does not record the worker."""
    return []


def backlog(since: datetime) -> list[Backlog]:
    """Return the backlog, using one query."""
    # Counted in Python, because grouping by game in SQL makes SQLite scan all matches.
    rows = (
        Hint.objects.filter(asked_at__gte=since)
        .order_by()
        .values_list("duel__match__game", "status", "duel__match__status")
    )
    waiting: Counter[str] = Counter()
    done: Counter[str] = Counter()
    for game, status, match_status in rows:
        done[game] += status == HintStatus.DONE
        waiting[game] += status != HintStatus.DONE and match_status == MatchStatus.RUNNING
    return [Backlog(Queue.HINTS, game, waiting=waiting[game], done=done[game]) for game in sorted(waiting)]


SOURCE = WorkSource(running_jobs, backlog)
