"""Celery's doors to the services of matches."""

from django.utils import timezone

from arena.celery import app
from arena.fleet.jail_settings import core_pool
from arena.leases.watch import Watch
from arena.leases.workers import worker_name
from arena.matches import playing, services
from arena.matches.seating import JailedSeating
from arena.referee.clock import SystemClock
from arena.submissions.jail import fork_server_if_possible

_watch = Watch(services.LANE)


@app.task(name=services.PLAY_TASK)
def play(match_id: int) -> None:
    """Play one match, if it still waits, or one that lost its worker before it.

    A worker that cannot jail bots leaves it to others, unclaimed.
    """
    server = fork_server_if_possible(f"match {match_id}")
    if server is None:
        return
    first = services.next_in_line(match_id)
    if first != match_id:
        services.wake([match_id])
    playing.play(first, worker=worker_name(), seating=JailedSeating(server, core_pool()), clock=SystemClock())


@app.task(name="arena.matches.tasks.sweep")
def sweep() -> None:
    """Wake workers for what lost its own."""
    services.sweep(_watch, now=timezone.now())
