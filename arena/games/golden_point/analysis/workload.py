"""Workload for the workers page: large reports that are running or waiting."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from arena.celery import Queue
from arena.games.golden_point.analysis.models import ReportStatus, StoredReport
from arena.games.golden_point.analysis.sources import GAME
from arena.platform.workers.work import Backlog, RunningJob, WorkSource


def running_jobs() -> list[RunningJob]:
    """Return running reports without links, because not every reader of the page may see every match."""
    rows = StoredReport.objects.filter(status=ReportStatus.RUNNING).order_by("pk").values_list("worker", flat=True)
    return [RunningJob(worker, _("An analysis"), "", Queue.ANALYSIS, GAME, None) for worker in rows]


def backlog(since: datetime) -> list[Backlog]:
    """Return the backlog of reports, without time estimates, because computation times are not stored.

    Runs one query.
    """
    waiting = StoredReport.objects.filter(status=ReportStatus.WAITING).count()
    return [Backlog(Queue.ANALYSIS, GAME, waiting=waiting)]


SOURCE = WorkSource(running_jobs, backlog)
