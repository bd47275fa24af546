from collections.abc import Callable
from functools import partial

import pytest
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from arena.accounts.models import User
from arena.core.referee.failure_messages import UNKNOWN
from arena.core.referee.faults import MatchStopped, RefereeFailure
from arena.games.registry import GAMES
from arena.matches import services
from arena.matches.broadcast import newest_event_number, topic
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.services import JOBS, MATCHES, MatchRequest
from arena.platform.jobs.fair_share import person_party
from arena.platform.jobs.lifecycle import (
    LEASE,
    MAX_ATTEMPTS,
    Lease,
    StalledJob,
    claim,
    leased_row,
    release_all,
    requeue,
)
from arena.platform.jobs.stalled import StallDetector
from arena.platform.live.testing import MemoryBroker
from arena.platform.supervisor.testing import ManualClock
from arena.platform.workers.services import WorkerInfo, register_worker
from arena.submissions.store import DiskFull
from tests.factories import bot, person, queued_match
from tests.queues import empty_queue

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def status_of(match: Match) -> str:
    match.refresh_from_db()
    return match.status


def test_many_matches_are_created_in_two_queries(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    pair = (bot().active_id or 0, bot().active_id or 0)
    requests = [MatchRequest("reversi", {}, {}, seed, Purpose.TOURNAMENT, pair) for seed in range(20)]
    with django_assert_num_queries(2):
        ids = services.create_matches(requests, planned=True)
    assert Match.objects.filter(pk__in=ids, status=MatchStatus.PLANNED).count() == 20
    assert [seat.index for seat in Match.objects.get(pk=ids[0]).seats.all()] == [0, 1]


def test_planned_match_is_not_claimed_until_released() -> None:
    pair = (bot().active_id or 0, bot().active_id or 0)
    (pk,) = services.create_matches([MatchRequest("reversi", {}, {}, 1, Purpose.TOURNAMENT, pair)], planned=True)
    assert services.sweep(StallDetector(JOBS), now=NOW) == 0
    assert claim(JOBS, pk, worker="a", now=NOW) is None
    assert services.release([pk]) == 1
    assert services.release([pk]) == 0
    assert claim(JOBS, pk, worker="a", now=NOW) is not None


def claim_match(woken_for: Match, *games: str) -> int | None:
    lease = services.claims_in_turn(woken_for.pk, worker="w", games=lambda kind: games or ["reversi"])()
    return lease.pk if lease else None


def request_match(who: User, game: str) -> Match:
    match = queued_match(game=game)
    Match.objects.filter(pk=match.pk).update(party=person_party(who.pk), requested_by=who)
    return match


def start_match(match: Match) -> Lease:
    """Claim this match for worker ``w``."""
    lease = MATCHES.claim(match.pk, worker="w")
    assert lease is not None
    return lease


def lose_worker(match: Match) -> None:
    """Start the match; then its worker dies, and the sweep requeues it."""
    lease = start_match(match)
    held = Match.objects.get(pk=match.pk).lease_until
    assert requeue(JOBS, StalledJob(match.pk, lease.fence, held, "w"))


def fail(error: Exception, match: Match) -> None:
    """Start the match and fail with this error."""

    def work(stop: Callable[[], bool]) -> bool:
        raise error

    assert not MATCHES.run_job(start_match(match), work)


@pytest.mark.parametrize(
    "interrupt",
    [lose_worker, partial(fail, MatchStopped()), lambda match: start_match(match) and release_all(JOBS, workers="w")],
    ids=["worker died", "worker drained", "worker stopped"],
)
def test_interrupted_match_is_claimed_first(interrupt: Callable[[Match], object]) -> None:
    _early, interrupted, other = (queued_match() for _ in range(3))
    interrupt(interrupted)
    tournament = queued_match(purpose=Purpose.TOURNAMENT)
    assert claim_match(tournament) == tournament.pk, "of another purpose"
    assert claim_match(other) == interrupted.pk


@pytest.mark.parametrize("failure", [RefereeFailure(UNKNOWN()), DiskFull("no space left")])
def test_match_that_met_a_lasting_failure_waits_for_its_turn(failure: Exception) -> None:
    failed, other = request_match(person(), "reversi"), request_match(person(), "reversi")
    fail(failure, failed)
    assert claim_match(other) == other.pk
    assert services.claims_in_turn(0, worker="w", games=lambda kind: ["reversi"])() is None


def test_void_match_queued_again_waits_for_its_turn() -> None:
    void, other = request_match(person(), "reversi"), request_match(person(), "reversi")
    for _ in range(MAX_ATTEMPTS):
        fail(RefereeFailure(UNKNOWN()), void)
    assert services.requeue_void(void.pk)
    assert claim_match(other) == other.pk


def test_version_tests_and_ladder_alternate_within_a_burst() -> None:
    ladder = [queued_match(purpose=Purpose.LADDER, game=game) for game in ("golden_point", "fib2584", "reversi")]
    tests = [queued_match(purpose=Purpose.VERSION_TEST) for _ in range(2)]
    claims = services.claims_in_turn(ladder[0].pk, worker="w", games=lambda kind: list(GAMES))
    order = [lease.pk for lease in iter(claims, None)]
    assert order == [ladder[0].pk, tests[0].pk, ladder[1].pk, tests[1].pk, ladder[2].pk]
    assert claims() is None


def register_processes(kind: str, count: int) -> None:
    register_worker(
        WorkerInfo("alpha", 100, (f"{kind}.reversi",), ("reversi",), count, "abc1234567"), now=timezone.now()
    )


def end_match(match: Match) -> None:
    """Store the result of a claimed match as a worker does."""
    match.refresh_from_db()
    lease = Lease(JOBS, match.pk, match.fence, match.attempts)
    assert leased_row(lease).update(status=MatchStatus.FINISHED)
    services.wake_next(match.purpose)


def test_one_person_cannot_occupy_all_scrimmage_processes() -> None:
    """One person's scrimmages leave one process free for others, because a scrimmage may take a quarter of an hour."""
    register_processes("scrimmages", 2)
    ada, bob = person(), person()
    flood = [request_match(ada, "reversi") for _ in range(3)]
    assert claim_match(flood[0]) == flood[0].pk
    assert claim_match(flood[1]) is None
    single = request_match(bob, "reversi")
    assert claim_match(single) == single.pk
    empty_queue("scrimmages.reversi")
    end_match(single)
    assert empty_queue("scrimmages.reversi") == 0, "she still runs what one person may"
    end_match(flood[0])
    assert empty_queue("scrimmages.reversi") == 1, "her next one does not wait for the sweep"
    assert claim_match(flood[1]) == flood[1].pk


def test_tournament_matches_can_use_all_processes() -> None:
    register_processes("matches", 2)
    matches = [queued_match(purpose=Purpose.TOURNAMENT) for _ in range(2)]
    assert [claim_match(one) for one in matches] == [one.pk for one in matches]


def test_claims_alternate_between_people_across_games() -> None:
    """People take turns even if they play different games.

    If a match of another game uses up a wake-up, a second wake-up is sent, so that no match waits for the sweep.
    """
    ada, bob = person(), person()
    flood = [request_match(ada, "reversi") for _ in range(3)]
    single = request_match(bob, "golden_point")
    assert claim_match(flood[0], "reversi", "golden_point") == flood[0].pk
    empty_queue("scrimmages.reversi")
    assert claim_match(flood[1], "reversi", "golden_point") == single.pk
    assert empty_queue("scrimmages.reversi") == 1
    assert claim_match(flood[1], "reversi", "golden_point") == flood[1].pk
    assert claim_match(flood[2], "reversi") == flood[2].pk
    assert claim_match(flood[2]) is None


def test_worker_claims_no_match_of_an_unserved_game() -> None:
    ada, bob = person(), person()
    own = request_match(ada, "reversi")
    Match.objects.filter(pk=request_match(ada, "reversi").pk).update(status=MatchStatus.RUNNING)
    other = request_match(bob, "golden_point")
    assert claim_match(own) == own.pk
    assert claim_match(own) is None
    assert claim_match(other, "golden_point") == other.pk


def test_cancelling_revokes_a_running_match_from_its_worker() -> None:
    match = queued_match()
    lease = claim(JOBS, match.pk, worker="a", now=NOW)
    assert lease is not None
    assert services.cancel([match.pk]) == 1
    assert status_of(match) == MatchStatus.CANCELLED
    assert services.cancel([match.pk]) == 0
    assert claim(JOBS, match.pk, worker="b", now=NOW + LEASE * 2) is None


def test_page_of_a_waiting_match_learns_that_it_was_cancelled(
    broker: MemoryBroker, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    match = queued_match()
    known = newest_event_number(match.pk)
    with django_capture_on_commit_callbacks(execute=True):
        services.cancel([match.pk])
    events = broker.events(topic(match.pk))
    assert [event["type"] for event in events if event["seq"] > known] == ["cancelled"]
    assert newest_event_number(match.pk) == events[-1]["seq"]


def test_match_is_void_after_three_lost_workers_and_can_be_rerun() -> None:
    match = queued_match()
    clock = ManualClock()
    detector = StallDetector(JOBS, clock)
    for _ in range(3):
        assert claim(JOBS, match.pk, worker="dies", now=NOW) is not None
        for _ in range(3):
            assert status_of(match) == MatchStatus.RUNNING
            services.sweep(detector, now=NOW)
            clock.advance(LEASE.total_seconds() / 2)
    assert status_of(match) == MatchStatus.VOID
    assert services.requeue_void(match.pk)
    assert status_of(match) == MatchStatus.QUEUED
    assert claim(JOBS, match.pk, worker="lives", now=NOW) is not None
    assert not services.requeue_void(match.pk)
