"""Celery tasks for submissions."""

from functools import partial

from django.utils import timezone

from arena.celery import app, served_games
from arena.platform.jobs.attempt import run_batch
from arena.platform.jobs.stalled import StallDetector
from arena.platform.jobs.workers import worker_name
from arena.submissions import check_job
from arena.submissions.jail import fork_server_if_possible
from arena.submissions.jailed_check import jailed_check

_detector = StallDetector(check_job.JOBS)


@app.task(name=check_job.CHECK_TASK)
def check(submission_id: int) -> None:
    """Check the next waiting submission, and then further ones if they are quick.

    ``submission_id``: the submission for which the worker was woken. A worker that cannot jail bots claims nothing and
    leaves the queue to other workers.
    """
    if fork_server_if_possible(f"submission {submission_id}") is None:
        return
    claim = check_job.claims_in_turn(submission_id, worker=worker_name(), games=served_games)
    run_batch(claim, partial(check_job.check_claimed, checker=jailed_check))


@app.task(name="arena.submissions.tasks.sweep")
def sweep() -> None:
    """Requeue checks whose workers have died, and wake workers."""
    check_job.sweep(_detector, now=timezone.now())
