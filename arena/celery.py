"""The Celery application: queues, periodic tasks, and the shutdown of workers.

Invariants:
- The database is the source of truth. A task carries only ids. Losing a task costs a few seconds, until a sweep sends
  it again. Receiving a task twice is harmless, because only one worker gets the row's lease.
- A task is acknowledged when it has ended, not when it begins, and no task uses a countdown or an ETA. The exception is
  the task that runs hosted bots: it never returns, so it is acknowledged when it begins, and the bots' leases show when
  it has died.
- Beat keeps time with a monotonic clock and stores nothing: an extra or missed tick is harmless.
- Work that runs a game's bots waits in that game's queues, so a worker takes work only for the games in its labels.
- Without REDIS_URL (tests, management commands while the site is stopped), messages go to this process's memory:
  nothing is sent, and nothing fails.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import kombu
from celery import Celery
from celery.schedules import schedule
from celery.signals import celeryd_after_setup, worker_process_init
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from kombu.utils.scheduling import round_robin_cycle

from arena.games.registry import GAMES
from arena.games.sites import SITES
from arena.platform.parent_death import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")

# A sweep that takes longer than this is considered hung.
SWEEP_SECONDS = 120
# How often to look for work that has lost its worker.
STALL_CHECK_SECONDS = settings.LEASE_SECONDS / 4


class Queue(StrEnum):
    """A kind of work; its value is the ``-Q`` argument of its workers, for example ``-Q matches``."""

    CONTROL = "control"  # sweeps and ticks, one at a time; a single queue
    MAIL = "mail"  # waits for the mail server, which must not delay anything else; a single queue
    WEBHOOKS = "webhooks"  # waits for receivers that may be slow or down; a single queue
    HOSTED = "hosted"  # bots in sessions that last for hours, many in one process; a single queue
    EXPORTS = "exports"  # exporting the dataset takes minutes to hours, and sweeps must not wait for it; a single queue
    CHECKS = "checks"  # upload checks take seconds and must not wait behind slower work; a queue per game
    SCRIMMAGES = "scrimmages"  # matches that people request; a queue per game
    RUNS = "runs"  # runs of drafts, whose authors are waiting; a queue per game
    HINTS = "hints"  # a person's clock is running, so workers that run bots take hints first; a queue per game
    DUELS = "duels"  # matches with a person: mostly waiting, which must not delay anything else; a queue per game
    MATCHES = "matches"  # tournament matches; a queue per game
    LADDER = "ladder"  # ladder and version-test matches, taken when nothing else is waiting; a queue per game
    ANALYSIS = "analysis"  # analysis by the arena's engines, not by bots; a queue per game


JAILED = (
    Queue.HOSTED,
    Queue.CHECKS,
    Queue.SCRIMMAGES,
    Queue.RUNS,
    Queue.HINTS,
    Queue.DUELS,
    Queue.MATCHES,
    Queue.LADDER,
)
PER_GAME = (
    Queue.CHECKS,
    Queue.SCRIMMAGES,
    Queue.RUNS,
    Queue.HINTS,
    Queue.DUELS,
    Queue.MATCHES,
    Queue.LADDER,
    Queue.ANALYSIS,
)


def queue_of(kind: Queue, game: str) -> str:
    """Return the queue for this kind of work on a game."""
    return f"{kind.value}.{game}"


def runs_bots(queue: str) -> bool:
    """Return whether the work in the queue with this name needs the jail."""
    return queue.partition(".")[0] in JAILED


def queues_to_consume(queues: Iterable[str], games: Collection[str]) -> list[str]:
    """Return the queues that a worker consumes: each kind of work expands to its queues for the worker's games."""
    wanted = set(queues)
    found = [kind.value for kind in Queue if kind not in PER_GAME and kind in wanted]
    found += [
        queue_of(kind, game)
        for kind in PER_GAME
        for game in GAMES
        if game in games and not wanted.isdisjoint({kind, queue_of(kind, game)})
    ]
    if not found:
        raise ImproperlyConfigured(
            f"WORKER_GAMES={','.join(games)} leaves no queue to consume of those requested: {', '.join(sorted(wanted))}"
        )
    return found


def served_games(kind: Queue) -> list[str]:
    """Return the games for which this worker process accepts this kind of work."""
    consumed_here = app.amqp.queues.consume_from
    return [game for game in GAMES if queue_of(kind, game) in consumed_here]


class UrgencyCycle(round_robin_cycle):  # type: ignore[type-arg]  # generic in its stubs alone
    """A round-robin cycle of a worker's queues, but hints and draft runs always come first and the ladder last."""

    def consume(self, n: int) -> list[str]:  # type: ignore[override]  # a list in truth
        return sorted(super().consume(n), key=_urgency)


def _urgency(queue: str) -> int:
    kind = queue.partition(".")[0]
    return {Queue.HINTS.value: 0, Queue.RUNS.value: 1, Queue.LADDER.value: 3}.get(kind, 2)


def broker_url(redis_url: str) -> str:
    """Convert a Redis URL for Celery, whose scheme for Unix sockets differs from redis-py's; "" gives "memory://"."""
    if not redis_url:
        return "memory://"
    parts = urlsplit(redis_url)
    return f"redis+socket://{parts.path}" if parts.scheme == "unix" else redis_url


def _monotonic_now() -> datetime:
    """Return a time that is unaffected by changes to the machine's clock, as a datetime whose date has no meaning."""
    return datetime(2000, 1, 1, tzinfo=UTC) + timedelta(seconds=time.monotonic())


def _beat_entry(
    seconds: float, task: str, queue: Queue = Queue.CONTROL, limit: float = SWEEP_SECONDS
) -> dict[str, Any]:
    """Return a beat entry that sends ``task`` every ``seconds``; its messages expire, so that they never pile up.

    A message is valid for at least 20 seconds, because on a busy machine, where each task takes seconds, the task may
    start late. ``limit``: the task's time limit in seconds.
    """
    return {
        "task": task,
        "schedule": schedule(seconds, nowfun=_monotonic_now),
        "options": {"queue": queue.value, "expires": max(seconds, 20.0), "time_limit": limit},
    }


CONFIGURATION: dict[str, Any] = {
    "broker_url": broker_url(settings.REDIS_URL),
    # --- never lose a task, and expect it to run more than once
    "task_acks_late": True,
    "task_reject_on_worker_lost": True,
    "worker_prefetch_multiplier": 1,
    "worker_cancel_long_running_tasks_on_connection_loss": False,  # the match continues; its lease protects the result
    "task_time_limit": settings.TASK_SECONDS,
    "broker_transport_options": {
        # An unacknowledged task is redelivered after this time.
        "visibility_timeout": settings.VISIBILITY_SECONDS,
        "queue_order_strategy": "arena.celery:UrgencyCycle",
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "health_check_interval": 25,
        "socket_keepalive": True,
        "socket_connect_timeout": 5,
    },
    "broker_connection_retry": True,
    "broker_connection_retry_on_startup": True,
    "broker_connection_max_retries": None,
    # A page that wakes a worker does not wait for an unavailable broker: the sweep wakes the worker later.
    "task_publish_retry_policy": {"max_retries": 1, "interval_start": 0.1, "interval_max": 0.1},
    # --- only ids, as JSON; results are database rows
    "task_serializer": "json",
    "accept_content": ["json"],
    "task_ignore_result": True,
    "worker_send_task_events": False,
    "worker_hijack_root_logger": False,
    "enable_utc": True,
    # --- queues
    # The kinds are declared so that `-Q` can name them; nothing is sent to a kind that has a queue per game.
    "task_queues": [
        kombu.Queue(name) for name in [*Queue, *(queue_of(kind, game) for kind in PER_GAME for game in GAMES)]
    ],
    "task_create_missing_queues": False,
    "task_default_queue": Queue.CONTROL.value,
    # --- beat
    "beat_scheduler": "celery.beat:Scheduler",  # kept in memory: a crash cannot leave a broken file
    "beat_max_loop_interval": min(2.0, STALL_CHECK_SECONDS),
    "beat_schedule": {
        "tournaments": _beat_entry(2.0, "arena.tournaments.tasks.tick"),
        "matches": _beat_entry(STALL_CHECK_SECONDS, "arena.matches.tasks.sweep"),
        "loss_notices": _beat_entry(30.0, "arena.matches.tasks.explain_losses"),
        "submissions": _beat_entry(STALL_CHECK_SECONDS, "arena.submissions.tasks.sweep"),
        "runs": _beat_entry(STALL_CHECK_SECONDS, "arena.studio.tasks.sweep"),
        "hints": _beat_entry(STALL_CHECK_SECONDS, "arena.play.tasks.sweep"),
        "workers": _beat_entry(300.0, "arena.platform.workers.tasks.forget"),
        "mails": _beat_entry(15.0, "arena.notifications.tasks.send", Queue.MAIL),
        "retention": _beat_entry(3600.0, "arena.matches.tasks.reduce_matches"),
        "ratings": _beat_entry(60.0, "arena.ratings.tasks.refresh"),
        "dataset": _beat_entry(3600.0, "arena.dataset.tasks.publish", Queue.EXPORTS, settings.TASK_SECONDS),
        "ladder": _beat_entry(5.0, "arena.ratings.tasks.ladder"),
        "following": _beat_entry(15.0, "arena.following.tasks.notify"),
        "webhooks": _beat_entry(15.0, "arena.webhooks.tasks.deliver", Queue.WEBHOOKS),
        "version_tests": _beat_entry(5.0, "arena.version_tests.tasks.tick"),
        **{
            name: _beat_entry(one.seconds or STALL_CHECK_SECONDS, one.task)
            for site in SITES.values()
            for name, one in site.periodic.items()
        },
    },
}

app = Celery("arena", set_as_current=True)
app.config_from_object(CONFIGURATION)
app.autodiscover_tasks()


@celeryd_after_setup.connect
def _select_queues(instance: Any = None, **_: object) -> None:
    """Expand the kinds of work in ``-Q`` to the queues for the games in this worker's labels."""
    queues = instance.app.amqp.queues
    queues.select(queues_to_consume(queues.consume_from, settings.WORKER_GAMES))


@celeryd_after_setup.connect
def _end_pool_with_worker(**_: object) -> None:
    """Have pool processes killed when their worker dies, even in the middle of a match or right after the fork."""
    worker_process_init.connect(partial(_set_parent_death_signal, os.getpid()), weak=False)


def _set_parent_death_signal(worker: int, **_: object) -> None:
    die_with_parent(parent=worker)
