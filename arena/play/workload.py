"""Hint workload for the workers page. The duels themselves are counted as matches."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from django.utils.translation import gettext as _

from arena.celery import Queue
from arena.matches.models import MatchStatus
from arena.platform.workers.work import Backlog, RunningJob, WorkSource
from arena.play.models import Hint, HintStatus


def running_jobs() -> list[RunningJob]:
    """Return the hints being computed, without links to their matches, which only the players may see."""
    rows = Hint.objects.filter(status=HintStatus.RUNNING).order_by("pk").values_list("worker", "duel__match__game")
    return [RunningJob(worker, _("Hint"), "", Queue.HINTS, game, None) for worker, game in rows]


def backlog(since: datetime) -> list[Backlog]:
    """Return the backlog of hints requested since the given time, for each game, using one query."""
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
