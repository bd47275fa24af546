"""Workload for the workers page: running and waiting analyses, and their mean duration."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Avg, Count, DurationField, ExpressionWrapper, F
from django.utils.translation import gettext as _

from arena.celery import Queue
from arena.games.reversi.analysis.models import Analysis, AnalysisStatus
from arena.games.reversi.recorded_line import GAME
from arena.platform.workers.work import Backlog, RunningJob, WorkSource


def running_jobs() -> list[RunningJob]:
    """Return running analyses without links, because not every reader of the page may see every match."""
    rows = Analysis.objects.filter(status=AnalysisStatus.RUNNING).order_by("pk").values_list("worker", "started_at")
    return [RunningJob(worker, _("An analysis"), "", Queue.ANALYSIS, GAME, since) for worker, since in rows]


def backlog(since: datetime) -> list[Backlog]:
    """Return the backlog of analyses. Runs two queries."""
    waiting = Analysis.objects.filter(status=AnalysisStatus.WAITING).count()
    took = ExpressionWrapper(F("finished_at") - F("started_at"), output_field=DurationField())
    done = Analysis.objects.filter(status=AnalysisStatus.DONE, finished_at__gte=since)
    found = done.aggregate(n=Count("pk"), mean=Avg(took))
    seconds = None if found["mean"] is None else found["mean"].total_seconds()
    return [Backlog(Queue.ANALYSIS, GAME, waiting=waiting, done=found["n"], seconds=seconds)]


SOURCE = WorkSource(running_jobs, backlog)
