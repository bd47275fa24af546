"""Version tests use only spare workers, count each pair of matches once and in order, and notify the author once."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from django.db import IntegrityError

from arena.core.ranking.version_test import Gain
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.services import QUEUES, cancel
from arena.notifications.models import Notification
from arena.platform.live.testing import memory_broker
from arena.platform.refusal import Refused
from arena.submissions.models import SubmissionStatus
from arena.version_tests import services
from arena.version_tests.counting import MAX_PAIRS_SKIPPED, recompute
from arena.version_tests.match_callbacks import CALLBACKS
from arena.version_tests.models import VersionTest
from arena.version_tests.planning import PAIRS_AT_ONCE, requests_of
from tests import factories
from tests.platform.workers.workers import NOW
from tests.ratings.ladders import IDLE
from tests.refusals import expect_refusal
from tests.version_tests.version_tests import begin_test, finish_match, matches_of, play_out, tick, two_versions

pytestmark = pytest.mark.django_db


@pytest.mark.long
def test_real_gain_is_accepted_and_real_regression_rejected() -> None:
    rng = random.Random(5)
    better = play_out(begin_test(two_versions()), lambda *_: float(rng.random() < 0.9))
    assert (better.status, better.verdict) == ("finished", "better")
    worse = play_out(begin_test(two_versions()), lambda *_: float(rng.random() < 0.1))
    assert (worse.status, worse.verdict) == ("finished", "worse")
    for test in (better, worse):
        assert recompute(test) == (test.evidence, test.verdict)
        assert not Match.objects.filter(version_test_match__pair__test=test, status=MatchStatus.QUEUED).exists()


@pytest.mark.long
def test_identical_versions_end_without_a_difference() -> None:
    """Versions that play the same moves each win once in every pair, so their test ends with no difference found."""
    test = play_out(begin_test(two_versions()), lambda _, played: float(played % 2), most=2000)
    assert (test.status, test.verdict) == ("finished", "no_difference")


def test_matches_of_a_pair_share_no_deal_if_the_game_hides_information() -> None:
    test = begin_test(two_versions("suit_pairs"))
    first, second = requests_of(test, 1)
    assert first.seed != second.seed
    assert requests_of(test, 1) == [first, second], "a rerun plays the same deals"


def test_pair_swaps_seats_on_the_same_start_and_stays_private() -> None:
    test = begin_test(two_versions())
    tick()
    first, second, third, *_ = matches_of(test)
    assert first.settings == second.settings != third.settings
    assert first.seed == second.seed != third.seed
    seats = [list(one.seats.order_by("index").values_list("submission_id", flat=True)) for one in (first, second)]
    assert seats[0] == seats[1][::-1]
    assert {one.withheld for one in matches_of(test)} == {True}
    assert len(matches_of(test)) == 2 * PAIRS_AT_ONCE
    tick()
    assert len(matches_of(test)) == 2 * PAIRS_AT_ONCE


def test_pairs_share_house_bots_and_independent_seats_need_one_match() -> None:
    for _ in range(6):
        house = factories.bot(game="golden_point")
        house.is_house = True
        house.save()
    first, second = requests_of(begin_test(two_versions("golden_point")), 1)
    assert len(first.submissions) == 6
    moved = [place for place in range(6) if first.submissions[place] != second.submissions[place]]
    assert len(moved) == 2
    (only,) = requests_of(begin_test(two_versions("fib2584")), 1)
    assert len(only.submissions) == 2


def test_matches_use_the_ladder_queue_and_the_authors_share() -> None:
    test = begin_test(two_versions())
    tick()
    assert QUEUES[Purpose.VERSION_TEST] == QUEUES[Purpose.LADDER]
    assert {one.party for one in matches_of(test)} == {f"user:{test.author_id}"}


@pytest.mark.parametrize(
    "spare", [replace(IDLE, is_waiting=True), replace(IDLE, is_claimed=True), replace(IDLE, served=frozenset())]
)
def test_no_matches_are_planned_without_spare_workers(spare: object) -> None:
    test = begin_test(two_versions())
    tick(spare)
    assert matches_of(test) == []


def test_preempted_test_later_plays_the_same_matches() -> None:
    test = begin_test(two_versions())
    tick()
    before = [(one.seed, one.settings) for one in matches_of(test)]
    services.record_match_start(matches_of(test)[0].pk, now=NOW)
    test.refresh_from_db()
    assert test.status == "running"
    tick(replace(IDLE, is_waiting=True, is_short=True))
    test.refresh_from_db()
    assert test.status == "waiting"
    assert {one.status for one in matches_of(test)} == {"cancelled"}
    tick()
    assert [(one.seed, one.settings) for one in matches_of(test)] == before
    assert {one.status for one in matches_of(test)} == {"queued"}


def test_pairs_are_counted_once_and_in_order() -> None:
    test = begin_test(two_versions())
    tick()
    found = matches_of(test)
    for match in found[2:4]:
        finish_match(test, match, 1.0)
    services.advance(test.pk, may_plan=False, now=NOW)
    test.refresh_from_db()
    assert test.folded == 0, "the second pair waits for the first"
    for match in found[:2]:
        finish_match(test, match, 0.5)
    for _ in range(3):  # as if a worker died right after storing the result, or ticks were repeated
        services.advance(test.pk, may_plan=False, now=NOW)
    test.refresh_from_db()
    assert test.folded == 2
    assert test.evidence["counts"] == [0, 0, 1, 0, 1]
    assert recompute(test)[0] == test.evidence


def test_void_pairs_are_skipped_until_too_many_end_the_test() -> None:
    test = begin_test(two_versions())
    for _ in range(MAX_PAIRS_SKIPPED):
        tick()
        waiting = [one.pk for one in matches_of(test) if one.status == MatchStatus.QUEUED]
        Match.objects.filter(pk__in=waiting).update(status=MatchStatus.VOID)
    tick()
    test.refresh_from_db()
    assert (test.status, test.verdict, test.skipped >= MAX_PAIRS_SKIPPED) == ("failed", "running", True)
    assert Notification.objects.filter(recipient=test.author).count() == 1


def test_each_person_has_one_active_test_and_can_cancel_it() -> None:
    bot = two_versions()
    test = begin_test(bot)
    tick()
    with expect_refusal("already_running"):
        begin_test(bot)
    values = {"author": bot.owner, "new_id": test.new_id, "old_id": test.old_id, "seed": 1, "most_pairs": 1}
    with pytest.raises(IntegrityError):
        VersionTest.objects.create(bot=two_versions(), number=9, gain="any", **values)


def test_cancelling_a_test_withdraws_waiting_matches(django_capture_on_commit_callbacks: object) -> None:
    test = begin_test(two_versions())
    tick()
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        services.cancel_test(test.pk, now=NOW)
    assert {one.status for one in matches_of(test)} == {"cancelled"}
    with expect_refusal("already_ended"):
        services.cancel_test(test.pk, now=NOW)
    tick()
    assert {one.status for one in matches_of(test)} == {"cancelled"}, "nothing is planned again"
    assert Notification.objects.count() == 0
    begin_test(test.bot)


def test_incomparable_versions_are_refused() -> None:
    bot = two_versions()
    old, new = bot.submissions.order_by("number")
    failed = factories.submission(bot, SubmissionStatus.FAILED)
    elsewhere = two_versions().active
    assert elsewhere is not None
    for pair in ((new, new), (failed, old), (new, elsewhere)):
        with pytest.raises(Refused):
            services.start(bot.owner, bot.pk, new=pair[0].pk, old=pair[1].pk, gain=Gain.ANY, rng=random.Random(1))
    bot.retired = True
    bot.save()
    with expect_refusal("retired"):
        services.start(bot.owner, bot.pk, new=new.pk, old=old.pk, gain=Gain.ANY, rng=random.Random(1))


@pytest.mark.long
def test_results_are_live_events_and_the_author_is_notified_once() -> None:
    with memory_broker() as broker:
        rng = random.Random(5)
        test = begin_test(two_versions())
        play_out(test, lambda *_: float(rng.random() < 0.9))
        assert broker is not None
    test.refresh_from_db()
    assert test.event_seq >= 2
    (notification,) = Notification.objects.filter(recipient=test.author)
    assert notification.context["verdict"] == "better"


def test_matches_outside_version_tests_are_ignored() -> None:
    cancel([factories.queued_match().pk])
    CALLBACKS.void(factories.queued_match().pk)
    assert VersionTest.objects.count() == 0
