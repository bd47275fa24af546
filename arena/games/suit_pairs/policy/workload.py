"""Workload for the workers page: running and waiting judgements of long matches."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from arena.celery import Queue
from arena.games.suit_pairs.policy.models import JudgementStatus, StoredJudgement
from arena.games.suit_pairs.rules import GAME
from arena.platform.workers.work import Backlog, RunningJob, WorkSource


def running_jobs() -> list[RunningJob]:
    """Return running judgements without links, because not every reader of the page may see every match."""
    rows = StoredJudgement.objects.filter(status=JudgementStatus.RUNNING).order_by("pk")
    workers = rows.values_list("worker", flat=True)
    return [RunningJob(worker, _("An analysis"), "", Queue.ANALYSIS, GAME.name, None) for worker in workers]


def backlog(since: datetime) -> list[Backlog]:
    """Return the backlog of judgements, which contains only the number of waiting ones. Runs one query."""
    waiting = StoredJudgement.objects.filter(status=JudgementStatus.WAITING).count()
    return [Backlog(Queue.ANALYSIS, GAME.name, waiting=waiting)]


SOURCE = WorkSource(running_jobs, backlog)
