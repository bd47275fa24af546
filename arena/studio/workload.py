"""The workload of studio runs for the workers page: running, waiting and finished runs."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Count
from django.utils.translation import gettext as _

from arena.celery import Queue
from arena.platform.workers.work import Backlog, RunningJob, WorkSource
from arena.studio.models import Run, RunStatus


def running_jobs() -> list[RunningJob]:
    """Return the runs being played, without links, because only a run's author may see it."""
    rows = Run.objects.filter(status=RunStatus.RUNNING).order_by("pk").values_list("worker", "game")
    return [RunningJob(worker, _("Draft run"), "", Queue.RUNS, game, None) for worker, game in rows]


def backlog(since: datetime) -> list[Backlog]:
    waiting = Run.objects.filter(status=RunStatus.QUEUED).values_list("game")
    done = Run.objects.filter(status=RunStatus.FINISHED, finished_at__gte=since).values_list("game")
    found = [Backlog(Queue.RUNS, game, waiting=n) for game, n in waiting.annotate(n=Count("pk")).order_by()]
    found += [Backlog(Queue.RUNS, game, done=n) for game, n in done.annotate(n=Count("pk")).order_by()]
    return found


SOURCE = WorkSource(running_jobs, backlog)
