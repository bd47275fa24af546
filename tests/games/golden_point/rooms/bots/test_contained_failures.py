"""A bot whose player keeps failing loses its own seat, and other bots are unaffected."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import DataError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.core.referee.clock import FakeClock
from arena.core.referee.failure_messages import OUT_OF_MEMORY, SYSTEM_ERROR
from arena.core.referee.faults import RefereeFailure
from arena.core.referee.testing import ScriptedPlayer
from arena.games.golden_point.rooms import owner_services
from arena.games.golden_point.rooms.bots import hosted_session, hosting
from arena.games.golden_point.rooms.bots.hosting import RETRY_DELAY
from arena.games.golden_point.rooms.models import BotSeat, SeatEnd, SeatStatus
from arena.games.golden_point.rooms.owner_services import RoomPlan
from arena.games.golden_point.rooms.rules import RoomTerms
from arena.submissions.models import Bot
from tests import factories
from tests.games.golden_point.rooms.bots.answers import answer_always, round_history
from tests.games.golden_point.rooms.bots.rooms_worker import RoomsWorker
from tests.games.golden_point.rooms.program import Program

pytestmark = pytest.mark.django_db

FAILURES = {
    "the referee": (RefereeFailure(OUT_OF_MEMORY()), OUT_OF_MEMORY.code),
    "the system": (OSError(errno.EINVAL, "Invalid argument", "/srv/arena/var/log"), "failure.system"),
    "a bug of ours": (KeyError("seat"), "failure.defect"),
}
CALLS = ("start", "fileno", "ask", "receive", "suspend", "usage", "printed_bytes")
# The default tests cover each failure in ``receive``; the slow tests cover the other combinations.
FAILING = [
    pytest.param(call, kind, marks=[] if call == "receive" else [pytest.mark.long])
    for call in CALLS
    for kind in FAILURES
]


class BreakingPlayer(ScriptedPlayer):
    """A player that raises ``error`` in the methods named in ``breaks_in``, after ``moves`` move requests."""

    def __init__(self, clock: FakeClock, error: Exception, breaks_in: Sequence[str], moves: int) -> None:
        super().__init__(clock, then=answer_always(30))
        self._error, self._breaks_in, self._moves = error, breaks_in, moves
        for name in (*CALLS, "log", "close"):
            setattr(self, name, self._breaking_method(name, getattr(self, name)))

    def _breaking_method(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            move_requests = sum(request["do"] == "move" for request in self.requests)
            if name in self._breaks_in and move_requests >= self._moves:
                raise self._error
            return real(*arguments)

        return call


class WaitingClock(FakeClock):
    """A clock that asks every player for its file descriptor, as the real clock does."""

    def wait(self, for_any: Any, timeout: float) -> Any:
        for each in for_any:
            each.fileno()
        return super().wait(for_any, timeout)


@pytest.fixture(autouse=True)
def waiting_clock(worker: RoomsWorker) -> None:
    worker.clock.fake = WaitingClock()
    worker.host = worker.create_host()


def create_breaking_bot(worker: RoomsWorker, error: Exception, *breaks_in: str, moves: int = 0) -> Bot:
    bot = worker.bot(answer_always(30))
    assert bot.active is not None
    worker.scripts[bot.active.sha256] = lambda: BreakingPlayer(worker.clock.fake, error, breaks_in, moves)
    return bot


def count_attempts(worker: RoomsWorker, program: Program, seat: BotSeat, most: int = 6) -> int:
    """Run the worker until the seat has ended, at most ``most`` times; return the number of runs."""
    for attempt in range(1, most + 1):
        worker.run(7, program)
        worker.clock.advance(RETRY_DELAY.total_seconds())
        seat.refresh_from_db()
        if seat.status == SeatStatus.ENDED:
            return attempt
    raise AssertionError(f"it stays seated indefinitely: {seat.status}, {seat.failures} failures")


@pytest.mark.parametrize(("breaks_in", "kind"), FAILING)
def test_failing_player_loses_only_its_own_seat(
    program: Program, worker: RoomsWorker, breaks_in: str, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    error, reason = FAILURES[kind]
    room = program.room(duration=5)
    other = worker.seat(room, worker.bot(answer_always(12)))
    seat = worker.seat(room, create_breaking_bot(worker, error, breaks_in))
    assert count_attempts(worker, program, seat) == 3
    assert (seat.ended_by, seat.diagnosis, seat.failure["code"]) == (SeatEnd.FAILED, None, reason)
    other.refresh_from_db()
    assert (other.status, other.attempts, other.failures) == (SeatStatus.PLAYING, 1, 0)
    assert [len(each["userNumbers"]) for each in round_history(program, room)][-3:] == [1, 1, 1]
    loud = [one for one in caplog.records if one.levelno >= logging.ERROR and one.exc_info]
    assert bool(loud) == (kind != "the referee"), "our own mistakes are logged with their traceback"


@pytest.mark.long
def test_playing_a_round_does_not_reset_the_attempts(program: Program, worker: RoomsWorker) -> None:
    error, _reason = FAILURES["the system"]
    seat = worker.seat(program.room(duration=5), create_breaking_bot(worker, error, "receive", moves=2))
    assert count_attempts(worker, program, seat) == 3
    assert seat.ended_by == SeatEnd.FAILED


@pytest.mark.long
def test_failures_are_reset_after_long_steady_play(
    program: Program, worker: RoomsWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosted_session, "STEADY_SECONDS", 12.0)
    seat = worker.seat(program.room(duration=5), worker.bot(answer_always(30)))
    BotSeat.objects.update(failures=2, failure=OUT_OF_MEMORY().to_json("message"))
    worker.run(8, program)
    seat.refresh_from_db()
    assert seat.failures == 2
    worker.run(12, program)
    seat.refresh_from_db()
    assert (seat.failures, seat.failure, seat.status) == (0, None, SeatStatus.PLAYING)


@pytest.mark.long
@pytest.mark.parametrize("breaks_in", ["log", "close"])
def test_session_ends_even_if_its_player_cannot_be_read_or_closed(
    program: Program, worker: RoomsWorker, breaks_in: str
) -> None:
    room = program.room(duration=5)
    other = worker.seat(room, worker.bot(answer_always(12)))
    seat = worker.seat(room, create_breaking_bot(worker, OSError(errno.EIO, "Input/output error"), "start", breaks_in))
    assert count_attempts(worker, program, seat) == 3
    other.refresh_from_db()
    assert other.status == SeatStatus.PLAYING


@pytest.mark.long
def test_answer_that_cannot_be_stored_fails_only_its_bot(
    program: Program, worker: RoomsWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = program.room(duration=5)
    other, seat = worker.seat(room, worker.bot(answer_always(12))), worker.seat(room, worker.bot(answer_always(99)))
    real = hosting.submit_all

    def submit_all(submissions: Any, now: Any) -> Any:
        if any(float(submission.n1) == 99 for submission in submissions):
            raise DataError("a value that this database does not take")
        return real(submissions, now)

    monkeypatch.setattr(hosting, "submit_all", submit_all)
    assert count_attempts(worker, program, seat) == 3
    other.refresh_from_db()
    assert other.status == SeatStatus.PLAYING
    assert all(len(each["userNumbers"]) == 1 for each in round_history(program, room))


@pytest.mark.long
def test_only_author_and_room_owner_can_read_the_reason(program: Program, worker: RoomsWorker, client: Client) -> None:
    owner, stranger = factories.person(), factories.person()
    room = owner_services.create(owner, RoomPlan(RoomTerms(seconds=5)), now=worker.clock())
    program.submit(program.player(), room, 40)
    error, _code = FAILURES["the system"]
    reason = SYSTEM_ERROR(error="EINVAL").text
    bot = create_breaking_bot(worker, error, "start")
    seat = worker.seat(room, bot)
    count_attempts(worker, program, seat)
    BotSeat.objects.update(ended_at=timezone.now())
    for reader, sees in ((owner, True), (bot.owner, True), (stranger, False)):
        client.force_login(reader)
        page = client.get(reverse("room-setup", args=[room])).content.decode()
        assert (reason in page) == sees, reader
    client.force_login(bot.owner)
    inside = client.get(reverse("room-seat-report", args=[seat.pk])).content.decode()
    assert reason in inside
    assert "/srv/" not in inside
