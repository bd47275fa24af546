"""Attempts that fail on the arena's side are kept, so that nobody can void a losing match unnoticed."""

from __future__ import annotations

import errno
import json
import re
from contextlib import ExitStack
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.models import User
from arena.core.referee.clock import FakeClock
from arena.core.referee.faults import RefereeFailure
from arena.core.referee.players import Player
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.matches import failures, playing, services
from arena.matches.models import FailedAttempt, FailureKind, Match, MatchStatus
from arena.matches.playing import ClaimedMatch
from arena.matches.services import JOBS
from arena.platform.jobs.stalled import StallDetector
from arena.platform.live.testing import MemoryBroker
from arena.platform.supervisor.testing import ManualClock
from tests.factories import bot, person, queued_match
from tests.matches.scripted import BLACK, WHITE, answers
from tests.note_codes import note_codes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


class Saboteur(ScriptedPlayer):
    """A player that raises ``error``, as if the worker had failed, when asked for a move after ``moves`` moves."""

    def __init__(self, clock: FakeClock, script: list[ScriptedTurn], error: Exception, moves: int = 2) -> None:
        super().__init__(clock, script)
        self._error, self._moves_left = error, moves

    def receive(self) -> bytes | None:
        if self.requests[-1]["do"] == "move":
            self._moves_left -= 1
            if self._moves_left < 0:
                raise self._error
        return super().receive()


def play_sabotaged_match(match: Match, error: Exception, seat: int = 0) -> None:
    clock = FakeClock()

    def seating(job: ClaimedMatch, stack: ExitStack) -> list[Player]:
        scripts = [answers(BLACK), answers(WHITE)]
        players: list[Player] = [ScriptedPlayer(clock, script) for script in scripts]
        players[seat] = Saboteur(clock, scripts[seat], error)
        return players

    try:
        playing.play(match.pk, worker="host:1:2", seating=seating, clock=clock)
    except OSError:
        assert not isinstance(error, RefereeFailure), "what is no failure of the referee is logged by the task"


def void_match(match: Match, seat: int = 0) -> None:
    for _ in range(3):
        play_sabotaged_match(match, RefereeFailure("The log of a bot cannot be read."), seat)
    services.MATCHES.give_up(now=timezone.now())
    match.refresh_from_db()
    assert match.status == MatchStatus.VOID


def test_viewers_are_notified_that_a_match_is_void(broker: MemoryBroker) -> None:
    """Event numbers keep increasing, because pages ignore an event whose number they have already received."""
    match = queued_match()
    void_match(match)
    events = broker.events(f"matches/{match.pk}")
    numbers = [event["seq"] for event in events]
    assert numbers == sorted(set(numbers))
    assert [event["type"] for event in events if event["type"] in ("requeued", "void")] == [
        "requeued",
        "requeued",
        "void",
    ]


@pytest.mark.parametrize("seat", [0, 1])
def test_attempts_are_stored_with_reason_worker_and_requested_seat(seat: int) -> None:
    match = queued_match()
    before = timezone.now()
    void_match(match, seat)
    kept = list(match.failed_attempts.values_list("fence", "kind", "worker", "reason__message", "seat", "voided"))
    reason = "The log of a bot cannot be read."
    assert kept == [(fence, "failure", "host:1:2", reason, seat, fence == 3) for fence in (1, 2, 3)]
    assert all(before <= attempt.at <= timezone.now() for attempt in match.failed_attempts.all())
    assert match.failure_text == reason


def test_unexpected_exception_is_stored_without_paths() -> None:
    match = queued_match()
    play_sabotaged_match(match, OSError(errno.EINVAL, "Invalid argument", "/srv/arena/var/log"))
    match.refresh_from_db()
    assert (match.status, match.attempts) == (MatchStatus.QUEUED, 1)
    (attempt,) = match.failed_attempts.all()
    assert (attempt.reason["code"], attempt.reason["parameters"]) == ("failure.system", {"error": "EINVAL"})
    assert "/srv" not in json.dumps([attempt.reason, match.failure])


def test_match_that_loses_its_workers_is_void_with_a_reason() -> None:
    match, clock = queued_match(), ManualClock()
    detector = StallDetector(JOBS, clock)
    for _ in range(3):
        assert services.claims_in_turn(match.pk, worker="dies", games=lambda kind: ["reversi"])()
        for _ in range(4):
            services.sweep(detector, now=timezone.now())
            clock.advance(9.0)
    services.sweep(detector, now=timezone.now())
    match.refresh_from_db()
    assert match.status == MatchStatus.VOID
    assert match.failure["code"] == "failure.worker_lost"
    assert {attempt.kind for attempt in match.failed_attempts.all()} == {FailureKind.WORKER_LOST}
    assert {attempt.worker for attempt in match.failed_attempts.all()} == {"dies"}


@pytest.mark.long
def test_only_requester_and_staff_see_attempts(client: Client) -> None:
    asker, staff, stranger = person(), person(is_staff=True), person()
    match = queued_match()
    Match.objects.filter(pk=match.pk).update(requested_by=asker)
    void_match(match)
    bot_name = str(match.seats.get(index=0).submission)

    def page(reader: User) -> str:
        client.force_login(reader)
        return client.get(reverse("match", args=[match.pk])).content.decode()

    for reader in (asker, staff):
        assert page(reader).count("log of a bot") == 3
        assert re.search(rf'data-note="same_bot_asked"><span>[^<]*{bot_name}', page(reader))
    assert "host:1:2" in page(staff)
    assert "host:1:2" not in page(asker)
    assert "log of a bot" not in page(stranger)
    assert note_codes(page(stranger)) == ["void"]


@pytest.mark.long
def test_bot_with_three_void_matches_in_a_day_is_flagged(settings: object) -> None:
    suspect, opponent = bot(), bot()
    now = timezone.now()
    for number in range(3):
        assert failures.flagged_bots(now=now) == []
        void_match(queued_match([suspect, opponent] if number % 2 else [opponent, suspect]), seat=1 - number % 2)
    first, second = failures.flagged_bots(now=now)
    assert (first.id, first.voids, first.while_asked, len(first.matches)) == (suspect.pk, 3, 3, 3)
    assert set(first.matches.values()) == {f"{suspect.name} – {opponent.name}", f"{opponent.name} – {suspect.name}"}
    assert (second.id, second.voids, second.while_asked) == (opponent.pk, 3, 0)
    assert [line.id for line in failures.flagged_bots(now=now, among=[opponent.pk])] == [opponent.pk]
    assert failures.flagged_bots(now=now, reader=person())[0].matches == first.matches
    assert failures.flagged_bots(now=now + timedelta(days=1, minutes=1)) == []
    settings.VOID_MATCHES_FLAGGED = 4  # type: ignore[attr-defined]
    assert failures.flagged_bots(now=now) == []


def test_rerun_keeps_failed_attempts_of_void_match() -> None:
    match = queued_match()
    void_match(match)
    assert services.requeue_void(match.pk)
    assert FailedAttempt.objects.filter(match=match).count() == 3
    void_match(match)
    assert FailedAttempt.objects.filter(match=match, voided=True).count() == 2
