"""The upload-check workload for the workers page: running, waiting and finished checks."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Count
from django.utils.translation import gettext as _

from arena.celery import Queue
from arena.platform.workers.work import Backlog, RunningJob, WorkSource
from arena.submissions.models import Submission, SubmissionStatus


def running_jobs() -> list[RunningJob]:
    """Return the running checks, without links to them, because a check is private to the bot's author."""
    rows = Submission.objects.filter(status=SubmissionStatus.CHECKING).order_by("pk")
    return [
        RunningJob(worker, _("Upload check"), "", Queue.CHECKS, game, None)
        for worker, game in rows.values_list("worker", "bot__game")
    ]


def backlog(since: datetime) -> list[Backlog]:
    """Return the numbers of waiting checks and of those finished since ``since``, by game.

    The result contains no durations, because the durations of checks are not stored.
    """
    waiting = Submission.objects.filter(status=SubmissionStatus.WAITING).values_list("bot__game")
    done = Submission.objects.filter(checked_at__gte=since).values_list("bot__game")
    found = [Backlog(Queue.CHECKS, game, waiting=n) for game, n in waiting.annotate(n=Count("pk")).order_by()]
    found += [Backlog(Queue.CHECKS, game, done=n) for game, n in done.annotate(n=Count("pk")).order_by()]
    return found


SOURCE = WorkSource(running_jobs, backlog)
