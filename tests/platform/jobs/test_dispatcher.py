"""Lost wake-ups are sent again, and unanswered ones do not pile up."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models import Q
from django.utils import timezone

from arena.celery import Queue
from arena.matches.models import Match, MatchStatus
from arena.matches.services import JOBS
from arena.platform.jobs.dispatcher import (
    MAX_UNANSWERED_WAKE_UPS,
    WAKE_INTERVAL,
    Dispatcher,
    WakeUp,
    repeat_wake_ups,
    rows_to_announce,
    waiting_wake_ups,
    wake_ups_per_game,
    wake_worker,
)
from arena.platform.jobs.lifecycle import MAX_ATTEMPTS, claim, release
from tests.factories import queued_match
from tests.queues import empty_queue

PLAY, CHECK = "arena.matches.tasks.play", "arena.submissions.tasks.check"
NOW = timezone.now()


def repeated_wake_ups(wake_ups: list[WakeUp], unanswered: Callable[[str], int]) -> list[WakeUp]:
    """Return the wake-ups that are sent again; ``unanswered`` counts the messages already waiting in a queue."""
    sent: list[WakeUp] = []
    count = repeat_wake_ups(
        wake_ups, send=lambda task, pk, *, queue: sent.append(WakeUp(task, pk, queue)), unanswered=unanswered
    )
    assert count == len(sent)
    return sent


def test_lost_wake_ups_are_sent_again() -> None:
    rows = [WakeUp(PLAY, pk, "matches.reversi") for pk in (1, 2)]
    assert repeated_wake_ups(rows, lambda queue: 0) == rows
    assert repeated_wake_ups(rows, lambda queue: MAX_UNANSWERED_WAKE_UPS - 1) == rows, (
        "other waiting messages say nothing about these"
    )


def test_unanswered_wake_ups_do_not_pile_up() -> None:
    rows = [WakeUp(PLAY, pk, "matches.golden_point") for pk in (1, 2)]
    assert repeated_wake_ups(rows, lambda queue: MAX_UNANSWERED_WAKE_UPS) == []


def test_queue_without_a_worker_does_not_block_others() -> None:
    unserved, lost = WakeUp(PLAY, 1, "matches.golden_point"), WakeUp(CHECK, 1, "checks.reversi")
    held = {unserved.queue: MAX_UNANSWERED_WAKE_UPS, lost.queue: 0}
    assert repeated_wake_ups([unserved, lost], held.__getitem__) == [lost]


@pytest.mark.parametrize("waiting", [0, 3])
def test_broker_reports_queue_lengths(waiting: int) -> None:
    queue = f"{Queue.LADDER}.reversi"
    empty_queue(queue)
    for pk in range(waiting):
        wake_worker(PLAY, pk, queue=queue)
    assert waiting_wake_ups(queue) == waiting


def test_unknown_queue_is_empty() -> None:
    assert waiting_wake_ups("no-such-queue") == 0


@pytest.mark.django_db
def test_row_is_announced_again_only_after_a_delay() -> None:
    match = queued_match()
    assert rows_to_announce(JOBS, now=NOW) == [match.pk], "at once"
    Match.objects.update(woken_at=NOW)
    assert rows_to_announce(JOBS, now=NOW + WAKE_INTERVAL / 2) == []
    assert rows_to_announce(JOBS, now=NOW + WAKE_INTERVAL / 2, pause=WAKE_INTERVAL / 4) == [match.pk]
    assert rows_to_announce(JOBS, now=NOW + WAKE_INTERVAL * 2) == [match.pk]
    assert rows_to_announce(JOBS, now=NOW + WAKE_INTERVAL * 2, only=Q(game="golden_point")) == []
    assert rows_to_announce(JOBS, now=NOW - timedelta(hours=1)) == [match.pk], "the clock was put back since"
    lease = claim(JOBS, match.pk, worker="a", now=NOW)
    assert lease is not None
    assert rows_to_announce(JOBS, now=NOW + WAKE_INTERVAL * 2) == [], "it is played"
    assert release(lease, counted=True)
    assert rows_to_announce(JOBS, now=NOW) == [match.pk], "at once"
    Match.objects.update(attempts=MAX_ATTEMPTS)
    assert rows_to_announce(JOBS, now=NOW) == [], "it is given up"


@pytest.mark.django_db
def test_announced_rows_are_recorded() -> None:
    first, second, cancelled = queued_match(), queued_match(), queued_match()
    Match.objects.filter(pk=cancelled.pk).update(status=MatchStatus.CANCELLED)
    queue = f"{Queue.LADDER}.reversi"
    waker = Dispatcher(JOBS, wake_ups_per_game(JOBS, PLAY, Queue.LADDER, "game"))
    empty_queue(queue)
    waker.wake([cancelled.pk, second.pk], now=NOW)
    assert empty_queue(queue) == 1
    assert waker.wake_again(now=NOW) == 1, "the first"
    assert empty_queue(queue) == 1
    assert waker.wake_again(now=NOW + WAKE_INTERVAL * 2) == 2
    assert empty_queue(queue) == 2
    noted = Match.objects.in_bulk()
    assert noted[first.pk].woken_at == noted[second.pk].woken_at == NOW + WAKE_INTERVAL * 2
    assert noted[cancelled.pk].woken_at is None
