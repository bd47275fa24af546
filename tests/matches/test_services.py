import pytest
from django.utils import timezone

from arena.leases.services import LEASE, claim
from arena.leases.watch import Watch
from arena.matches import services
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.services import LANE, MatchRequest
from arena.supervisor.testing import ManualClock
from tests.factories import bot, queued_match

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


def test_a_planned_match_is_left_alone_until_released() -> None:
    pair = (bot().active_id or 0, bot().active_id or 0)
    (pk,) = services.create_matches([MatchRequest("reversi", {}, {}, 1, Purpose.TOURNAMENT, pair)], planned=True)
    assert services.sweep(Watch(LANE), now=NOW) == 0
    assert claim(LANE, pk, worker="a", now=NOW) is None
    assert services.release([pk]) == 1
    assert services.release([pk]) == 0
    assert claim(LANE, pk, worker="a", now=NOW) is not None


def test_who_lost_its_worker_does_not_queue_again() -> None:
    lost, other = queued_match(), queued_match()
    assert services.next_in_line(other.pk) == other.pk
    lease = claim(LANE, lost.pk, worker="dies", now=NOW)
    assert services.next_in_line(other.pk) == other.pk, "it is being played"
    Match.objects.filter(pk=lost.pk).update(status=MatchStatus.QUEUED)  # as ``take_back`` does
    assert lease is not None
    assert services.next_in_line(other.pk) == services.next_in_line(lost.pk) == lost.pk
    for elsewhere in (queued_match(purpose=Purpose.TOURNAMENT), queued_match(game="golden_point")):
        assert services.next_in_line(elsewhere.pk) == elsewhere.pk
    Match.objects.filter(pk=lost.pk).update(failure="the sandbox broke")
    assert services.next_in_line(other.pk) == other.pk, "our fault may last"
    assert services.next_in_line(0) == 0


def test_cancelling_takes_a_running_match_from_its_worker() -> None:
    match = queued_match()
    lease = claim(LANE, match.pk, worker="a", now=NOW)
    assert lease is not None
    assert services.cancel([match.pk]) == 1
    assert status_of(match) == MatchStatus.CANCELLED
    assert services.cancel([match.pk]) == 0
    assert claim(LANE, match.pk, worker="b", now=NOW + LEASE * 2) is None


def test_a_match_is_void_after_three_lost_workers_and_can_be_played_again() -> None:
    match = queued_match()
    clock = ManualClock()
    watch = Watch(LANE, clock)
    for _ in range(3):
        assert claim(LANE, match.pk, worker="dies", now=NOW) is not None
        for _ in range(3):
            assert status_of(match) == MatchStatus.RUNNING
            services.sweep(watch, now=NOW)
            clock.advance(LEASE.total_seconds() / 2)
    assert status_of(match) == MatchStatus.VOID
    assert services.requeue_void(match.pk)
    assert status_of(match) == MatchStatus.QUEUED
    assert claim(LANE, match.pk, worker="lives", now=NOW) is not None
    assert not services.requeue_void(match.pk)
