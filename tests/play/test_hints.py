"""A scripted adviser receives the person's position, and its answer is shown, or dropped if it comes too late."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from arena.core.referee.clock import FakeClock
from arena.core.referee.events import SeatMove
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.matches.models import Match, MatchStatus
from arena.platform.jobs.lifecycle import LEASE, claim, release_all
from arena.platform.jobs.stalled import StallDetector
from arena.platform.refusal import Refused
from arena.platform.supervisor.testing import ManualClock
from arena.play import hints
from arena.play.hints import RequestedHint
from arena.play.models import Duel, DuelTurn, Hint, HintStatus
from arena.play.turns import duel_state
from tests.play.duels import create_duel

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)


def running_duel(*moves: str, seat: int = 0) -> Match:
    """Create a running duel in which the two sides took turns to play these moves, black first."""
    match = create_duel(seat=seat)
    Match.objects.update(status=MatchStatus.RUNNING)
    for number, move in enumerate(moves, start=1):
        played = SeatMove((number - 1) % 2, move).to_json()
        DuelTurn.objects.create(duel_id=match.pk, number=number, moves=[played])
    return match


def stored_hint(match: Match) -> RequestedHint | None:
    return hints.hint_for(Duel.objects.select_related("match").get(pk=match.pk), duel_state(match))


def request_hint(match: Match, seconds: float = 0.0) -> int:
    return hints.request_hint(match.pk, now=NOW + timedelta(seconds=seconds))


class Adviser:
    """A fake adviser that gives one answer or fails."""

    def __init__(self, answer: str = "E3", *, breaks: bool = False) -> None:
        self.clock = FakeClock()
        self.player = ScriptedPlayer(self.clock, [ScriptedTurn(answer)], breaks=breaks)

    def compute(self, match: Match) -> bool:
        hint = Hint.objects.get(duel_id=match.pk)
        return hints.compute_next_hint(hint.pk, worker="w", adviser=lambda game: self.player, clock=self.clock)


def test_adviser_gets_the_request_of_the_persons_seat() -> None:
    match, adviser = running_duel("E6", "F4"), Adviser()
    assert request_hint(match) == 3
    assert stored_hint(match) == RequestedHint()
    assert adviser.compute(match)
    assert stored_hint(match) == RequestedHint("E3")
    request = adviser.player.requests[-1]
    assert request["own"] == {"color": "X"}
    assert request["shared"]["last"] == "F4"
    assert not adviser.compute(match), "one that is there is not asked for again"


def test_hints_are_refused_outside_the_persons_turn() -> None:
    with pytest.raises(Refused):
        request_hint(running_duel("E6"))
    match = running_duel()
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.FINISHED)
    with pytest.raises(Refused):
        request_hint(match)


def test_hint_for_a_past_turn_is_not_computed() -> None:
    match = running_duel()
    request_hint(match)
    DuelTurn.objects.create(duel_id=match.pk, number=1, moves=[SeatMove(0, "E6").to_json()])
    assert not Adviser().compute(match)


@pytest.mark.parametrize("adviser", [Adviser(breaks=True), Adviser("A1")], ids=["arena failure", "illegal hint"])
def test_failed_hint_can_be_requested_again(adviser: Adviser) -> None:
    match = running_duel()
    request_hint(match)
    assert not adviser.compute(match)
    assert request_hint(match, seconds=6) == 1
    assert Adviser("D3").compute(match)


def test_hint_of_a_dead_worker_is_requeued_by_the_sweep() -> None:
    match, clock = running_duel(), ManualClock()
    request_hint(match)
    assert claim(hints.JOBS, Hint.objects.get().pk, worker="dead", now=NOW)
    detector = StallDetector(hints.JOBS, clock)
    for _ in range(3):
        assert not Adviser().compute(match)
        hints.sweep_hints(detector, now=NOW)
        clock.advance(LEASE.total_seconds() / 2)
    assert Adviser("D3").compute(match)


def test_result_of_a_worker_that_lost_the_hint_is_dropped() -> None:
    match = running_duel()
    request_hint(match)
    hint = Hint.objects.get()

    late = Adviser("E3")

    def taken_over(_game: str) -> ScriptedPlayer:
        release_all(hints.JOBS, workers="w")
        assert claim(hints.JOBS, hint.pk, worker="other", now=NOW)
        return late.player

    assert not hints.compute_next_hint(hint.pk, worker="w", adviser=taken_over, clock=late.clock)
    assert stored_hint(match) == RequestedHint()


def test_hint_that_no_page_asks_for_is_ended() -> None:
    match = running_duel()
    request_hint(match)
    hints.sweep_hints(StallDetector(hints.JOBS, ManualClock()), now=NOW + timedelta(minutes=2))
    assert Hint.objects.get().status == HintStatus.DONE
    assert request_hint(match, seconds=130) == 1
    assert Hint.objects.get().status == HintStatus.WAITING


def test_guests_from_one_network_share_a_fair_hint_queue() -> None:
    parties = ["net:1", "net:1", "net:1", "user:1"]
    requested = []
    for party in parties:
        match = running_duel()
        Match.objects.filter(pk=match.pk).update(party=party, status=MatchStatus.RUNNING)
        request_hint(match)
        requested.append(match.pk)
    for _ in parties:
        assert Adviser("D3").compute(match)
    assert list(Hint.objects.order_by("served").values_list("duel_id", flat=True)) == [
        *(requested[0], requested[3], requested[1], requested[2])
    ]


def test_repeated_hint_requests_rarely_wake_a_worker(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    match = running_duel()
    with django_capture_on_commit_callbacks() as wakes:
        for seconds in (0.0, 0.5, 1.0, 5.5, 6.0):
            request_hint(match, seconds)
    assert len(wakes) == 2
