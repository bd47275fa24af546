"""Large reports: asking for one, drawing it up on a worker, and what becomes of it when the worker dies.

    WAITING --claimed--> RUNNING --drawn up--> READY
    RUNNING --its worker died--> WAITING, after three times FAILED

Invariants: a source and version of the analysis has one report, however many ask; what is stored goes under the lease,
so that a worker from whom the report was taken changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Final

from django.db import transaction

from arena.celery import Queue, queue_of
from arena.games.golden_point.analysis.models import ReportStatus, StoredReport
from arena.games.golden_point.analysis.packing import VERSION, pack
from arena.games.golden_point.analysis.sources import GAME, NoSuchSource, SourceKind, load
from arena.games.golden_point.evaluation.report import explain
from arena.games.golden_point.recordings.queries import NoSuchRecording, deleted_among
from arena.platform.jobs.dispatcher import Dispatcher, WakeUp
from arena.platform.jobs.fair_share import SharedQueue, claim_next
from arena.platform.jobs.heartbeat import Heartbeat
from arena.platform.jobs.lifecycle import JobQueue, Lease, held
from arena.platform.jobs.stalled import StallDetector
from arena.platform.jobs.sweep import give_up, requeue_stalled

JOBS: Final = JobQueue(StoredReport, ReportStatus.WAITING, ReportStatus.RUNNING)
SHARED_QUEUE: Final = SharedQueue(JOBS)
TASK: Final = "arena.games.golden_point.analysis.tasks.draw_up"
_TOLD_EVERY: Final = 2.0  # seconds between two notes of the progress


class TakenAway(Exception):  # noqa: N818 - ends the work, nothing is broken
    """The row belongs to another worker."""


def ask_for(source_id: str, party: str, *, now: datetime) -> None:
    """Have a worker draw up a report; once, however many ask. It counts for the share of the first who does."""
    with transaction.atomic():
        defaults = {"created_at": now, "party": party}
        row, made = StoredReport.objects.get_or_create(source=source_id, version=VERSION, defaults=defaults)
        if made:
            transaction.on_commit(partial(_DISPATCHER.wake, [row.pk], now=now))


def try_again(source_id: str, *, now: datetime) -> bool:
    """Have workers try anew what they gave up; False where there is nothing of that kind."""
    with transaction.atomic():
        failed = StoredReport.objects.filter(source=source_id, version=VERSION, status=ReportStatus.FAILED)
        pks = list(failed.values_list("pk", flat=True))
        done = failed.update(status=ReportStatus.WAITING, attempts=0, percent=0, worker="", lease_until=None)
        if done:
            transaction.on_commit(partial(_DISPATCHER.wake, pks, now=now))
    return bool(done)


def _wake_ups(pks: list[int]) -> list[WakeUp]:
    return [WakeUp(TASK, pk, queue_of(Queue.ANALYSIS, GAME)) for pk in pks]


_DISPATCHER: Final = Dispatcher(JOBS, _wake_ups)


def draw_up(pk: int, *, worker: str, now: Callable[[], datetime], clock: Callable[[], float]) -> bool:
    """Compute the report whose turn it is for a worker that was woken for this one; False where none waits.

    ``clock`` is monotonic, in seconds.
    """
    lease = claim_next(SHARED_QUEUE, worker=worker, now=now())
    if lease is None:
        return False
    source = StoredReport.objects.values_list("source", flat=True).get(pk=lease.pk)
    with Heartbeat(lease) as heartbeat:
        try:
            game = load(source)
            told = Progress(lease, len(game.players), clock, lambda: heartbeat.lost)
            data = pack(explain(game, told))
        except (NoSuchSource, NoSuchRecording):
            held(lease).delete()  # a recording that was deleted meanwhile
            return True
        except TakenAway:
            return True
    held(lease).update(status=ReportStatus.READY, percent=100, data=data, lease_until=None)
    return True


class Progress:
    """Writes down how far it is, now and then, and stops where the work was taken away."""

    def __init__(self, lease: Lease, players: int, clock: Callable[[], float], lost: Callable[[], bool]) -> None:
        self._lease, self._players, self._clock, self._lost = lease, players, clock, lost
        self._told_at = clock()

    def __call__(self, done: int) -> None:
        if self._lost():
            raise TakenAway
        now = self._clock()
        if now - self._told_at >= _TOLD_EVERY:
            self._told_at = now
            held(self._lease).update(percent=100 * done // self._players)


def _forget_deleted() -> None:
    """Reports of recordings that are deleted; matches stay."""
    prefix = f"{SourceKind.RECORDING}/"
    sources = StoredReport.objects.filter(source__startswith=prefix).values_list("source", flat=True)
    gone = deleted_among([source.removeprefix(prefix) for source in sources])
    StoredReport.objects.filter(source__in=[prefix + code for code in gone]).delete()


def sweep(detector: StallDetector, *, now: datetime) -> None:
    """Take reports back from dead workers, give up on what three of them could not do, forget those of games that are
    gone, and wake others for what waits."""
    requeue_stalled(detector)
    give_up(JOBS, {"status": ReportStatus.FAILED})
    StoredReport.objects.exclude(version=VERSION).delete()
    _forget_deleted()
    _DISPATCHER.wake_again(now=now)
