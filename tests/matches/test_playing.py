"""A claimed match is played and its result is stored (here with scripted bots and a fake clock)."""

from __future__ import annotations

from contextlib import ExitStack

import msgspec
import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from arena.core.referee.clock import FakeClock
from arena.core.referee.play import MatchResult
from arena.core.referee.players import Player
from arena.core.referee.record import dump, load
from arena.core.referee.testing import SCRIPTED_FAILURE, ScriptedPlayer, ScriptedTurn
from arena.matches import callbacks, playing, queries, result_store, services
from arena.matches.broadcast import newest_event_number, topic
from arena.matches.callbacks import MatchCallbacks, StoredResult
from arena.matches.models import Match, MatchRecord, MatchStatus, Purpose, Seat, SeatReport
from arena.matches.playing import ClaimedMatch
from arena.matches.services import JOBS, MATCHES
from arena.matches.snapshots import newest_view, seats_json, snapshot
from arena.matches.templatetags.match_title import match_title
from arena.matches.templatetags.results import seat_score
from arena.matches.verification import problems_of
from arena.platform.jobs.lifecycle import claim
from arena.platform.live import stream
from arena.submissions.store import DiskFull
from tests.factories import queued_match
from tests.matches.scripted import BLACK, WHITE, answers, play, scripted_seating

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


def test_match_is_played_and_stored_once() -> None:
    match = queued_match()
    assert play(match, answers(BLACK), answers(WHITE))
    match.refresh_from_db()
    assert (match.status, match.termination, match.turns) == (MatchStatus.FINISHED, "completed", 9)
    black, white = match.seats.all()
    assert (black.points, black.rank, white.points, white.rank) == (1.0, 1, 0.0, 2)
    counts = snapshot(match.pk)["turns"][-1]["view"]["counts"]
    assert (black.count, white.count) == (counts["X"], counts["O"])
    assert black.seconds == pytest.approx(2.5)
    assert black.slowest == pytest.approx(0.5)
    assert bytes(black.report.log) == b"thinking\n"
    assert problems_of(match.pk) == []
    assert not play(match, answers(BLACK), answers(WHITE)), "a second delivery finds nothing to claim"
    assert MatchRecord.objects.count() == 1


@pytest.mark.parametrize("forfeits", [False, True])
def test_seat_score_in_lists_equals_score_in_title(forfeits: bool) -> None:
    match = queued_match()
    assert play(match, [ScriptedTurn(answer="A1")] * 3 if forfeits else answers(BLACK), answers(WHITE))
    card, title = queries.match_card(match.pk), match_title(snapshot(match.pk))
    assert card
    scores = [seat_score(card.game, seat) for seat in card.seats]
    assert scores == [seat.score for seat in title.seats]
    assert scores != ["1", "0"]


def test_newest_turn_is_read_from_the_stream() -> None:
    match = queued_match()
    assert newest_view(match.pk) is None
    play(match, answers(BLACK), answers(WHITE))
    assert newest_view(match.pk) == snapshot(match.pk)["turns"][-1]["view"]


def test_spectators_receive_every_turn_with_increasing_numbers() -> None:
    match = queued_match()
    play(match, answers(BLACK), answers(WHITE))
    events = stream.read_events(f"matches/{match.pk}", after=1_000_000 - 1).list
    assert [event["type"] for event in events] == ["started", *["turn"] * 10, "finished"]
    assert [event["seq"] for event in events] == list(range(1_000_000, 1_000_012))
    assert events[-1]["outcome"]["winner"] == 0
    assert [event["turn"] for event in events if event["type"] == "turn"] == snapshot(match.pk)["turns"]


@pytest.mark.parametrize("forfeits", [False, True])
def test_newest_event_of_a_finished_match_is_its_result(forfeits: bool) -> None:
    match = queued_match()
    assert play(match, [ScriptedTurn(answer="A1")] * 3 if forfeits else answers(BLACK), answers(WHITE))
    last = stream.read_events(topic(match.pk), after=0).list[-1]
    assert last["type"] == "finished"
    assert newest_event_number(match.pk) == last["seq"], "otherwise a page that connects now waits for a missing event"


def test_third_illegal_answer_forfeits_and_only_author_sees_why(client: Client) -> None:
    match = queued_match()
    assert play(match, [ScriptedTurn(answer="A1")] * 3, answers(WHITE))
    match.refresh_from_db()
    black, white = match.seats.all()
    assert (black.fault, black.fault_turn, white.rank, match.termination) == ("illegal_move", 1, 1, "forfeit")
    assert black.report.diagnosis["kind"] == "illegal_move"
    assert white.report.diagnosis is None
    assert problems_of(match.pk) == []


def test_removed_fault_is_detected() -> None:
    match = queued_match()
    assert play(match, [ScriptedTurn(answer="A1")] * 3, answers(WHITE))
    match.seats.filter(index=0).update(fault="", fault_turn=None)
    (problem,) = problems_of(match.pk)
    assert problem.parameters["field"] == "faults"
    assert "illegal_move" in str(problem.parameters["recorded"])


def test_wrong_secret_is_detected_but_a_missing_one_is_accepted() -> None:
    match = queued_match()
    assert play(match, answers(BLACK), answers(WHITE))
    record = load(bytes(match.record.data))
    assert len(record.secret) == 32
    old = msgspec.structs.replace(record, version=2, secret="")
    MatchRecord.objects.filter(match=match).update(data=dump(old))
    assert problems_of(match.pk) == []
    MatchRecord.objects.filter(match=match).update(data=dump(msgspec.structs.replace(record, secret="00" * 16)))
    (problem,) = problems_of(match.pk)
    assert problem.parameters["field"] == "secret"


def test_every_match_has_its_own_secret() -> None:
    matches = [queued_match() for _ in range(3)]
    assert len({match.secret for match in matches}) == 3


def test_arena_failure_costs_no_points() -> None:
    match = queued_match()
    for attempt in range(1, 4):
        assert not play(match, [], [], breaks=True)
        match.refresh_from_db()
        assert (match.status, match.attempts) == (MatchStatus.QUEUED if attempt < 3 else MatchStatus.VOID, attempt)
    assert not play(match, answers(BLACK), answers(WHITE))
    match.refresh_from_db()
    assert match.status == MatchStatus.VOID
    assert match.failure_text == SCRIPTED_FAILURE
    assert not SeatReport.objects.exists()
    assert all(seat.points is None for seat in match.seats.all())


def test_result_with_old_fence_is_ignored() -> None:
    match = queued_match()
    clock = FakeClock()

    def taken_over(job: ClaimedMatch, stack: ExitStack) -> list[Player]:
        Match.objects.filter(pk=match.pk).update(status=MatchStatus.QUEUED)
        assert claim(JOBS, match.pk, worker="other", now=timezone.now()) is not None
        return [ScriptedPlayer(clock, answers(BLACK)), ScriptedPlayer(clock, answers(WHITE))]

    assert not playing.play(match.pk, worker="w", seating=taken_over, clock=clock)
    match.refresh_from_db()
    assert (match.status, match.worker, match.fence) == (MatchStatus.RUNNING, "other", 2)
    assert not MatchRecord.objects.exists()


def test_match_cancelled_while_running_stores_nothing() -> None:
    match = queued_match()
    clock = FakeClock()

    def cancel_while_seating(job: ClaimedMatch, stack: ExitStack) -> list[Player]:
        services.cancel([match.pk])
        return [ScriptedPlayer(clock, answers(BLACK)), ScriptedPlayer(clock, answers(WHITE))]

    assert not playing.play(match.pk, worker="w", seating=cancel_while_seating, clock=clock)
    match.refresh_from_db()
    assert match.status == MatchStatus.CANCELLED
    assert not MatchRecord.objects.exists()


def test_worker_shutdown_requeues_match_without_counting_an_attempt() -> None:
    match = queued_match()
    clock = FakeClock()
    seating = scripted_seating(clock, answers(BLACK), answers(WHITE))
    assert not playing.play(match.pk, worker="w", seating=seating, clock=clock, stopping=lambda: True)
    match.refresh_from_db()
    assert (match.status, match.attempts) == (MatchStatus.QUEUED, 0)


def test_requesting_app_is_called_in_the_storing_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[object] = []

    def on_finished(result: StoredResult) -> None:
        called.append(result.outcome.ranks)
        raise RuntimeError("the standing cannot be stored")

    mine = MatchCallbacks(started=called.append, finished=on_finished, void=called.append)
    monkeypatch.setitem(callbacks._CALLBACKS, Purpose.SCRIMMAGE, mine)
    match = queued_match()
    with pytest.raises(RuntimeError, match="standing"):
        play(match, answers(BLACK), answers(WHITE))
    match.refresh_from_db()
    assert match.status == MatchStatus.QUEUED, "neither result nor standing is stored; it is played again"
    assert called == [match.pk, (1, 2)]
    (attempt,) = match.failed_attempts.all()
    assert (attempt.reason["code"], attempt.worker, attempt.seat) == ("failure.defect", "w", None)


def test_full_disk_delays_a_match_but_never_voids_it() -> None:
    match = queued_match()

    def raise_disk_full(job: ClaimedMatch, stack: ExitStack) -> list[Player]:
        raise DiskFull("[Errno 28] No space left on device")

    for _ in range(5):
        assert not playing.play(match.pk, worker="w", seating=raise_disk_full, clock=FakeClock())
        match.refresh_from_db()
        assert (match.status, match.attempts, match.woken_at) == (MatchStatus.QUEUED, 0, None)
    assert play(match, answers(BLACK), answers(WHITE))


def test_result_waits_for_an_unavailable_database(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """If an outage interrupts an app's callback for results, the transaction is rolled back and retried later."""
    away = iter([True, True, False])

    def on_finished(result: StoredResult) -> None:
        if next(away):
            raise OperationalError("the database system is shutting down")

    monkeypatch.setitem(callbacks._CALLBACKS, Purpose.SCRIMMAGE, MatchCallbacks(finished=on_finished))
    match = queued_match()
    assert play(match, answers(BLACK), answers(WHITE))
    match.refresh_from_db()
    assert (match.status, match.attempts) == (MatchStatus.FINISHED, 1)
    assert MatchRecord.objects.count() == 1
    assert SeatReport.objects.count() == 2
    waited = [record for record in caplog.records if record.getMessage().startswith(f"match {match.pk}: result ")]
    assert ["shutting down" in record.getMessage() for record in waited] == [True, True, False]


def test_dropped_result_is_logged(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """If a match is cancelled while its result is waiting for the database, dropping the result is logged."""
    away = iter([True])
    filled = result_store._fill_seats

    def fill(seats: list[Seat], result: MatchResult) -> None:
        if next(away, False):
            Match.objects.update(status=MatchStatus.CANCELLED)
            raise OperationalError("the database system is shutting down")
        filled(seats, result)

    monkeypatch.setattr(result_store, "_fill_seats", fill)
    match = queued_match()
    assert not play(match, answers(BLACK), answers(WHITE))
    assert caplog.messages[-1].startswith(f"match {match.pk}: ")
    assert "dropped" in caplog.messages[-1]


def test_result_stored_without_waiting_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert play(queued_match(), answers(BLACK), answers(WHITE))
    assert not [text for text in caplog.messages if ": result " in text]


def test_worker_reads_a_claimed_match_in_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    match = queued_match()
    lease = MATCHES.claim(match.pk, worker="w")
    assert lease is not None
    with django_assert_num_queries(1):
        claimed = playing.load_claimed_match(lease)
        seats_json(claimed.seats, match.game)
        assert [str(one) for one in claimed.submissions] == [seat.name for seat in claimed.spec.seats]
