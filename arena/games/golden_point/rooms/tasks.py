"""Celery tasks for rooms."""

from uuid import UUID

from django.utils import timezone

from arena.celery import app
from arena.core.referee.clock import SystemClock
from arena.core.referee.play import usable_cores
from arena.games.golden_point.rooms import services
from arena.games.golden_point.rooms.bots import seating
from arena.games.golden_point.rooms.bots.hosted_session import JailedPlayerFactory
from arena.games.golden_point.rooms.bots.hosting import Host, HostEnvironment
from arena.games.golden_point.rooms.rounds import retention
from arena.games.golden_point.rooms.rounds.backoff import FailureBackoff
from arena.platform.jobs.stalled import StallDetector
from arena.platform.jobs.workers import worker_name
from arena.platform.workers.services import is_draining
from arena.submissions.jail import fork_server_if_possible

_detector = StallDetector(seating.JOBS)
_closing = FailureBackoff[UUID]()
_giving_up = FailureBackoff[int]()
# A process runs as long as there are bots; only its leases show whether it hangs.
_YEAR_SECONDS = 366 * 86400


@app.task(name="arena.games.golden_point.rooms.tasks.sweep")
def sweep() -> None:
    """Close overdue rounds that no web process has closed, close abandoned rooms, and sweep the bots in rooms."""
    now = timezone.now()
    services.ensure_permanent_rooms(now)
    services.close_due_rounds(now, _closing)
    services.close_idle_rooms(now, _giving_up)
    seating.sweep(_detector, now=now)


@app.task(name=seating.HOST_TASK, acks_late=False, time_limit=_YEAR_SECONDS)
def host(seat_id: int) -> None:
    """Run bots in rooms: the bot in this seat, and all others that are waiting.

    The task is acknowledged when it starts, because it may run indefinitely.
    """
    server = fork_server_if_possible(f"seat {seat_id} of a room")
    if server is None:
        return
    environment = HostEnvironment(
        worker=worker_name(),
        players=JailedPlayerFactory(server),
        clock=SystemClock(),
        now=timezone.now,
        stopping=is_draining,
        thinking=2 * usable_cores(),
    )
    Host(environment).run()


@app.task(name="arena.games.golden_point.rooms.tasks.delete_old_data")
def delete_old_data() -> None:
    """Delete old rounds of rooms 0 and 1, which never end, and players who have never played."""
    retention.delete_expired(timezone.now())
