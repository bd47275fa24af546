"""Celery tasks for duels."""

from contextlib import ExitStack

from django.utils import timezone

from arena.celery import app, served_games
from arena.core.referee.clock import SystemClock
from arena.matches import playing, services
from arena.platform.jobs.stalled import StallDetector
from arena.platform.jobs.workers import worker_name
from arena.platform.workers.draining import DrainingCheck
from arena.play import hints
from arena.play.hints import JailedAdvisers
from arena.play.seating import DuelSeating
from arena.play.turns import DuelTurnLog
from arena.submissions.jail import fork_server_if_possible

_detector = StallDetector(hints.JOBS)


@app.task(name=services.DUEL_TASK)
def play(match_id: int) -> None:
    """Play or continue the next match in the queue.

    ``match_id``: the match for which the worker was woken. A worker that cannot jail bots leaves the match unclaimed. A
    worker that is told to stop releases a running match immediately, and another worker continues it.
    """
    server = fork_server_if_possible(f"duel {match_id}")
    if server is None:
        return
    lease = services.claims_in_turn(match_id, worker=worker_name(), games=served_games)()
    if lease is None:
        return
    turns = DuelTurnLog()
    playing.play_claimed(
        lease, seating=DuelSeating(server, turns), clock=SystemClock(), stopping=DrainingCheck(), log=turns
    )
    services.wake_next(lease.row.purpose)


@app.task(name=hints.HINT_TASK)
def hint(hint_id: int) -> None:
    """Compute the next hint in the queue, on a worker woken for hint ``hint_id``."""
    server = fork_server_if_possible(f"hint {hint_id}")
    if server is None:
        return
    with ExitStack() as stack:
        adviser = JailedAdvisers(server, stack)
        hints.compute_next_hint(hint_id, worker=worker_name(), adviser=adviser, clock=SystemClock())


@app.task(name="arena.play.tasks.sweep")
def sweep() -> None:
    """Requeue hints whose workers have died."""
    hints.sweep_hints(_detector, now=timezone.now())
