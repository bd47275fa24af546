"""The worker's inbox: a thread that passes answers from the database row to the referee."""

from __future__ import annotations

import select
import threading

import pytest
from django.db import OperationalError

from arena.core.referee.faults import RefereeFailure
from arena.core.referee.person import RESIGNED
from arena.core.referee.players import PlayerGone
from arena.play import answer_store
from arena.play.answer_inbox import AnswerInbox
from arena.play.answer_store import PersonInput
from arena.play.models import Duel
from tests.play.duels import create_duel
from tests.running_site import eventually

pytestmark = pytest.mark.django_db(transaction=True)


class ManualChannel:
    """A channel that wakes the inbox only when the test says so."""

    __test__ = False

    def __init__(self) -> None:
        self.closed = threading.Event()
        self.woken = threading.Event()

    def wait(self, seconds: float) -> None:
        if seconds:
            self.woken.wait(5)
            self.woken.clear()

    def close(self) -> None:
        self.closed.set()


def is_ready(inbox: AnswerInbox, timeout: float = 5.0) -> bool:
    return bool(select.select([inbox.fileno()], [], [], timeout)[0])


def test_inbox_returns_an_answer_only_for_its_turn() -> None:
    match, channel, turn = create_duel(), ManualChannel(), 1
    row = Duel.objects.filter(pk=match.pk)
    inbox = AnswerInbox(match.pk, lambda: turn, channel)
    try:
        inbox.open_request()
        assert not is_ready(inbox, 0.05)
        assert inbox.take_answer() is None
        row.update(answer_turn=1, answer="E6")
        channel.woken.set()
        assert is_ready(inbox)
        assert inbox.take_answer() == "E6"
        assert row.values_list("asked_turn", flat=True).get() == 1

        turn = 3
        inbox.open_request()
        assert not is_ready(inbox, 0.05), "the answer to turn 1 is none to turn 3"
        row.update(resigned=True)
        channel.woken.set()
        assert is_ready(inbox)
        with pytest.raises(PlayerGone) as gone:
            inbox.take_answer()
        assert gone.value.player_exit == RESIGNED

        row.update(resigned=False, answer_turn=3, answer="A1")
        inbox.open_request()
        eventually(
            lambda: row.filter(answer_turn=2, answer__isnull=True).exists(), "an answer that was refused is kept"
        )
        assert inbox.take_answer() is None
    finally:
        inbox.close()
        channel.woken.set()
    assert channel.closed.wait(5), "the thread ends with the match"
    inbox.close()


def test_unused_inbox_closes_its_channel() -> None:
    channel = ManualChannel()
    AnswerInbox(1, lambda: 1, channel).close()
    assert channel.closed.is_set()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_broken_inbox_raises_referee_failure() -> None:
    class Broken(ManualChannel):
        def wait(self, seconds: float) -> None:
            raise RuntimeError("a broken channel")

    inbox = AnswerInbox(1, lambda: 1, Broken())
    inbox.open_request()
    assert is_ready(inbox)
    with pytest.raises(RefereeFailure):
        inbox.take_answer()
    inbox.close()


def test_database_outage_and_recovery_are_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match, channel = create_duel(), ManualChannel()
    away = iter([True, True, True])
    said = answer_store.person_input

    def answer(match_id: int, turn: int) -> PersonInput:
        channel.woken.set()  # check again immediately
        if next(away, False):
            raise OperationalError("closed")
        return said(match_id, turn)

    monkeypatch.setattr(answer_store, "person_input", answer)
    Duel.objects.filter(pk=match.pk).update(answer_turn=1, answer="E6")
    inbox = AnswerInbox(match.pk, lambda: 1, channel)
    inbox.open_request()
    try:
        assert is_ready(inbox)
    finally:
        inbox.close()
        channel.woken.set()
    assert channel.closed.wait(5)
    waits, available = [text for text in caplog.messages if text.startswith(f"duel {match.pk}: turn 1")]
    assert waits.endswith(": closed")
    assert "closed" not in available
