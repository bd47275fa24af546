"""Wake-ups: those that were lost are sent again, and those that nobody hears do not pile up."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.celery import Queue, app
from arena.leases.wake import MOST_UNANSWERED, WakeUp, unanswered, wake_again, wake_worker

PLAY, CHECK = "arena.matches.tasks.play", "arena.submissions.tasks.check"


def repeated(wake_ups: list[WakeUp], unanswered: Callable[[str], int]) -> list[WakeUp]:
    """What is sent again, where so many wait in a queue already."""
    sent: list[WakeUp] = []
    count = wake_again(
        wake_ups, send=lambda task, pk, *, queue: sent.append(WakeUp(task, pk, queue)), unanswered=unanswered
    )
    assert count == len(sent)
    return sent


def test_what_was_lost_is_sent_again() -> None:
    rows = [WakeUp(PLAY, pk, "matches.reversi") for pk in (1, 2)]
    assert repeated(rows, lambda queue: 0) == rows
    assert repeated(rows, lambda queue: MOST_UNANSWERED - 1) == rows, "others that wait tell nothing of these"


def test_words_that_nobody_hears_do_not_pile_up() -> None:
    rows = [WakeUp(PLAY, pk, "matches.golden_point") for pk in (1, 2)]
    assert repeated(rows, lambda queue: MOST_UNANSWERED) == []


def test_a_queue_without_a_worker_keeps_no_other_waiting() -> None:
    unserved, lost = WakeUp(PLAY, 1, "matches.golden_point"), WakeUp(CHECK, 1, "interactive.reversi")
    held = {unserved.queue: MOST_UNANSWERED, lost.queue: 0}
    assert repeated([unserved, lost], held.__getitem__) == [lost]


@pytest.mark.parametrize("waiting", [0, 3])
def test_the_broker_says_how_many_wait(waiting: int) -> None:
    queue = f"{Queue.LADDER}.reversi"
    with app.connection_or_acquire() as connection:
        connection.default_channel.queue_purge(queue)
    for pk in range(waiting):
        wake_worker(PLAY, pk, queue=queue)
    assert unanswered(queue) == waiting


def test_an_unknown_queue_holds_nothing() -> None:
    assert unanswered("no-such-queue") == 0
