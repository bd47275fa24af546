"""Celery tasks for the policy's judgements."""

import time

from django.utils import timezone

from arena.celery import app
from arena.games.suit_pairs.policy import judgements
from arena.platform.jobs.stalled import StallDetector
from arena.platform.jobs.workers import worker_name

_detector = StallDetector(judgements.JOBS)


@app.task(name=judgements.JUDGE_TASK)
def judge(pk: int) -> None:
    """Compute the next judgement in the queue, and then further ones if they are quick.

    ``pk``: the judgement for which the worker was woken.
    """
    judgements.compute(pk, worker=worker_name(), clock=time.monotonic)


@app.task(name="arena.games.suit_pairs.policy.tasks.sweep")
def sweep() -> None:
    """Requeue judgements whose workers have died."""
    judgements.sweep(_detector, now=timezone.now())
