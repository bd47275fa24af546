"""The worker's inbox: a thread between the row and the referee."""

from __future__ import annotations

import select
import threading

import pytest
from django.db import OperationalError

from arena.core.referee.faults import RefereeFailure
from arena.play import post
from arena.play.mailbox import Mailbox
from arena.play.models import Duel
from tests.play.games import duel
from tests.running_site import eventually

pytestmark = pytest.mark.django_db(transaction=True)


class TestBell:
    """Rings when the test says so, never by itself."""

    __test__ = False

    def __init__(self) -> None:
        self.closed = threading.Event()
        self.rung = threading.Event()

    def wait(self, seconds: float) -> None:
        if seconds:
            self.rung.wait(5)
            self.rung.clear()

    def close(self) -> None:
        self.closed.set()


def is_ready(mailbox: Mailbox, patience: float = 5.0) -> bool:
    return bool(select.select([mailbox.fileno()], [], [], patience)[0])


def test_an_answer_is_handed_over_to_its_own_turn_only() -> None:
    match, bell, turn = duel(), TestBell(), 1
    row = Duel.objects.filter(pk=match.pk)
    mailbox = Mailbox(match.pk, lambda: turn, bell)
    try:
        mailbox.open()
        assert not is_ready(mailbox, 0.05)
        assert mailbox.take() is None
        row.update(answer_turn=1, answer="E6")
        bell.rung.set()
        assert is_ready(mailbox)
        assert mailbox.take() == "E6"
        assert row.values_list("asked_turn", flat=True).get() == 1

        turn = 3
        mailbox.open()
        assert not is_ready(mailbox, 0.05), "the answer to turn 1 is none to turn 3"
        row.update(resigned=True)
        bell.rung.set()
        assert is_ready(mailbox)
        assert mailbox.take() == "Q"

        row.update(resigned=False, answer_turn=3, answer="A1")
        mailbox.open()
        eventually(lambda: row.filter(answer_turn=2, answer="").exists(), "an answer that was refused is kept")
        assert mailbox.take() is None
    finally:
        mailbox.close()
        bell.rung.set()
    assert bell.closed.wait(5), "the thread ends with the match"
    mailbox.close()


def test_a_mailbox_that_was_never_asked_leaves_nothing() -> None:
    bell = TestBell()
    Mailbox(1, lambda: 1, bell).close()
    assert bell.closed.is_set()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_mailbox_that_breaks_is_a_failure_of_ours() -> None:
    class Broken(TestBell):
        def wait(self, seconds: float) -> None:
            raise RuntimeError("a bell without a clapper")

    mailbox = Mailbox(1, lambda: 1, Broken())
    mailbox.open()
    assert is_ready(mailbox)
    with pytest.raises(RefereeFailure):
        mailbox.take()
    mailbox.close()


def test_a_database_that_is_away_is_reported_once_and_its_return_too(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match, bell = duel(), TestBell()
    away = iter([True, True, True])
    answer_to = post.answer_to

    def answer(match_id: int, turn: int) -> str:
        bell.rung.set()  # look again at once
        if next(away, False):
            raise OperationalError("the server closed the connection")
        return answer_to(match_id, turn)

    monkeypatch.setattr(post, "answer_to", answer)
    Duel.objects.filter(pk=match.pk).update(answer_turn=1, answer="E6")
    mailbox = Mailbox(match.pk, lambda: 1, bell)
    mailbox.open()
    try:
        assert is_ready(mailbox)
    finally:
        mailbox.close()
        bell.rung.set()
    assert bell.closed.wait(5)
    assert [text for text in caplog.messages if text.startswith("duel ")] == [
        f"duel {match.pk}: turn 1 waits for the database: the server closed the connection",
        f"duel {match.pk}: turn 1: the database answers again",
    ]
