"""Celery tasks for the studio."""

from django.utils import timezone

from arena.celery import app, served_games
from arena.core.referee.clock import SystemClock
from arena.platform.jobs.attempt import run_batch
from arena.platform.jobs.stalled import StallDetector
from arena.platform.jobs.workers import worker_name
from arena.platform.workers.jail_settings import core_pool
from arena.studio import playing, runs
from arena.submissions.jail import fork_server_if_possible

_detector = StallDetector(runs.JOBS)


@app.task(name=runs.RUN_TASK)
def run(run_id: int) -> None:
    """Play the next run in the queue, and then further ones if they are quick.

    ``run_id``: the run for which the worker was woken. A worker that cannot jail bots leaves runs unclaimed for other
    workers.
    """
    server = fork_server_if_possible(f"run {run_id}")
    if server is None:
        return
    claim = runs.claims_in_turn(run_id, worker=worker_name(), games=served_games)
    seating, clock = playing.JailedRunSeating(server, core_pool()), SystemClock()
    run_batch(claim, lambda lease: playing.play_claimed(lease, seating=seating, clock=clock))


@app.task(name="arena.studio.tasks.sweep")
def sweep() -> None:
    """Requeue runs whose workers have died, and delete old runs."""
    now = timezone.now()
    runs.sweep(_detector, now=now)
    runs.delete_old_runs(now=now)
