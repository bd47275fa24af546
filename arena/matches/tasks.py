"""Celery tasks for matches."""

from django.utils import timezone

from arena.celery import app, served_games
from arena.core.referee.clock import SystemClock
from arena.matches import loss_notices, playing, retention, reviews, services
from arena.matches.seating import JailedSeating
from arena.platform.jobs.attempt import run_batch
from arena.platform.jobs.stalled import StallDetector
from arena.platform.jobs.workers import worker_name
from arena.platform.workers.jail_settings import core_pool
from arena.submissions.jail import fork_server_if_possible

_detector = StallDetector(services.JOBS)


@app.task(name=services.PLAY_TASK)
def play(match_id: int) -> None:
    """Play the next match in the queue, and then further ones if they are quick.

    ``match_id``: the match for which the worker was woken. A worker that cannot jail bots leaves matches unclaimed for
    other workers.
    """
    server = fork_server_if_possible(f"match {match_id}")
    if server is None:
        return
    claim = services.claims_in_turn(match_id, worker=worker_name(), games=served_games)
    seating, clock = JailedSeating(server, core_pool()), SystemClock()
    last = run_batch(claim, lambda lease: playing.play_claimed(lease, seating=seating, clock=clock))
    if last is not None:
        services.wake_next(last.row.purpose)


@app.task(name="arena.matches.tasks.sweep")
def sweep() -> None:
    """Requeue matches whose workers have died, and wake workers."""
    services.sweep(_detector, now=timezone.now())


@app.task(name="arena.matches.tasks.explain_losses")
def explain_losses() -> None:
    """Send authors notifications that explain why their bots lost recent matches."""
    loss_notices.notify_of_recent_losses(reviews.reviewers_on_demand(), now=timezone.now())


@app.task(name="arena.matches.tasks.reduce_matches")
def reduce_matches() -> None:
    """Delete or move the data of old matches, as configured."""
    retention.reduce_due_matches(retention.Retention.from_settings(), now=timezone.now())
