"""The ladder plays only on idle workers and yields to all other work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from arena.accounts.models import User
from arena.celery import Queue, queue_of
from arena.matches import services as matches
from arena.matches.models import Match, MatchStatus, Purpose
from arena.platform.jobs.lifecycle import claim
from arena.ratings import ladder, ladder_pool
from arena.ratings.ladder_pool import LadderStatus
from arena.ratings.spare_capacity import SpareCapacity
from arena.submissions.models import Bot, SubmissionStatus
from tests import factories
from tests.platform.workers.workers import NOW
from tests.queues import empty_queue
from tests.ratings.ladders import IDLE, pool, tick
from tests.ratings.stored_matches import create_rating
from tests.refusals import expect_refusal

pytestmark = pytest.mark.django_db


def ladder_matches() -> list[tuple[int, ...]]:
    rows = Match.objects.filter(purpose=Purpose.LADDER).order_by("pk")
    return [tuple(row.seats.values_list("submission_id", flat=True)) for row in rows]


def test_idle_workers_play_ladder_matches() -> None:
    pool(6)
    assert tick() == 2
    assert len({entry for match in ladder_matches() for entry in match}) == 4
    match = Match.objects.filter(purpose=Purpose.LADDER)[0]
    assert match.status == MatchStatus.QUEUED
    assert match.requested_by is None
    assert match.settings["opening"]


@pytest.mark.parametrize(
    "spare",
    [
        replace(IDLE, is_waiting=True),
        replace(IDLE, is_claimed=True),
        replace(IDLE, is_waiting=True, is_short=True),
        replace(IDLE, free={"reversi": 0}),
        replace(IDLE, free={}),
    ],
)
def test_busy_workers_play_no_ladder_matches(spare: SpareCapacity) -> None:
    pool(4)
    assert tick(spare) == 0
    assert ladder_matches() == []


def test_waiting_work_without_a_free_worker_cancels_ladder_matches() -> None:
    pool(4)
    tick()
    claim(matches.JOBS, Match.objects.filter(purpose=Purpose.LADDER)[0].pk, worker="w", now=NOW)
    tick(replace(IDLE, is_waiting=True))
    assert Match.objects.filter(status=MatchStatus.CANCELLED).count() == 0
    other = factories.queued_match(purpose=Purpose.TOURNAMENT)
    tick(replace(IDLE, is_waiting=True, is_short=True))
    assert set(Match.objects.filter(purpose=Purpose.LADDER).values_list("status", flat=True)) == {"cancelled"}
    other.refresh_from_db()
    assert other.status == MatchStatus.QUEUED


def test_pair_plays_both_sides_of_an_opening_before_the_next() -> None:
    pool(2)
    for _ in range(6):
        assert tick() == 1
        Match.objects.filter(purpose=Purpose.LADDER, status=MatchStatus.QUEUED).update(status=MatchStatus.FINISHED)
    seats = ladder_matches()
    assert seats[::2] == [swapped[::-1] for swapped in seats[1::2]]
    openings = [row.settings["opening"] for row in Match.objects.filter(purpose=Purpose.LADDER).order_by("pk")]
    assert openings[::2] == openings[1::2]
    assert len(set(openings)) > 1  # the draw depends on the bots' ids, so two of the three may be equal


def test_multiplayer_game_is_played_at_a_table() -> None:
    pool(9, "golden_point")
    assert tick(replace(IDLE, free={"golden_point": 3})) == 1
    assert [len(match) for match in ladder_matches()] == [ladder.TABLE_SEATS]


def test_pool_contains_eligible_bots() -> None:
    one, out, unchecked, retired, fresh = (factories.bot() for _ in range(5))
    choose(out, [])
    unchecked.active = None
    unchecked.save()
    retired.retired = True
    retired.save()
    factories.submission(fresh, SubmissionStatus.FAILED)
    assert [candidate.entry for candidate in ladder.ladder_candidates("reversi", now=NOW)] == [
        one.active_id,
        fresh.active_id,
    ]
    choose(out, [out])
    assert len(ladder.ladder_candidates("reversi", now=NOW)) == 3


def choose(bot: Bot, chosen: Sequence[Bot]) -> None:
    """Submit ``chosen`` as the ladder bots of ``bot``'s owner, using a form that offers all of the owner's bots."""
    offered = [one.pk for one in Bot.objects.filter(owner=bot.owner)]
    ladder_pool.choose_bots(bot.owner_id, bot.game, [one.pk for one in chosen], offered=offered, now=NOW)


def memberships(owner: User) -> list[LadderStatus]:
    return [one.membership for one in ladder_pool.entrants_of(owner.pk, "reversi")]


def test_author_chooses_which_bots_play(settings: Settings) -> None:
    settings.LADDER_BOTS_PER_AUTHOR = 2
    plays, surplus, out = LadderStatus.PLAYS, LadderStatus.SURPLUS, LadderStatus.KEPT_OUT
    owner = factories.person()
    bots = [factories.bot(owner) for _ in range(4)]
    factories.bot(owner, "golden_point")
    assert memberships(owner) == [plays, plays, surplus, surplus]
    entered = [bots[0].active_id, bots[1].active_id]
    assert [one.entry for one in ladder.ladder_candidates("reversi", now=NOW)] == entered
    with expect_refusal("too_many_bots"):
        choose(bots[0], bots[:3])
    assert memberships(owner) == [plays, plays, surplus, surplus]
    choose(bots[0], [bots[1], bots[3]])
    assert memberships(owner) == [out, plays, out, plays]
    stranger = factories.bot()
    choose(bots[0], [bots[1], stranger])
    assert memberships(owner) == [out, plays, out, out]
    assert memberships(stranger.owner) == [plays]
    factories.bot(owner)
    assert memberships(owner) == [out, plays, out, out, plays], "what was not offered is as before"
    Bot.objects.filter(owner=owner).update(is_house=True)
    assert memberships(owner).count(surplus) == 0


def test_bots_of_one_author_never_meet_but_house_bots_do() -> None:
    owner = factories.person()
    bots = [factories.bot(owner) for _ in range(3)]
    assert tick() == 0
    Bot.objects.filter(pk__in=[bot.pk for bot in bots]).update(is_house=True)
    assert tick() == 1


def test_difficulty_levels_are_not_on_the_ladder() -> None:
    level = factories.bot()
    level.level = 1
    level.save()
    assert ladder.ladder_candidates("reversi", now=NOW) == []


def test_most_uncertain_bots_play_first() -> None:
    for name in ("Ann", "Bob"):
        create_rating(1500, name, deviation=15, matches=400)
    fresh = {one.pk for one in pool(1)}
    tick(replace(IDLE, free={"reversi": 1}))
    assert [len(fresh.intersection(match)) for match in ladder_matches()] == [1]


def test_first_seat_of_a_single_match_is_random() -> None:
    first = [ladder._seats_in_pair(one, one + 1, 0)[0] == one for one in range(400)]
    assert 150 < sum(first) < 250


def test_pair_is_not_repeated_before_its_match_is_rated() -> None:
    pool(3)
    tick(replace(IDLE, free={"reversi": 1}))
    first = ladder_matches()[0]
    Match.objects.filter(purpose=Purpose.LADDER).update(status=MatchStatus.FINISHED, finished_at=NOW)
    tick(replace(IDLE, free={"reversi": 1}))
    assert set(ladder_matches()[1]) != set(first)


def test_paused_ladder_plays_no_matches() -> None:
    pool(4)
    ladder.pause("reversi", now=NOW)
    ladder.pause("reversi", now=NOW)
    assert tick() == 0
    ladder.resume("reversi")
    assert tick() == 2


def test_ladder_matches_have_their_own_queue(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    pool(2)
    queue = queue_of(Queue.LADDER, "reversi")
    empty_queue(queue)
    with django_capture_on_commit_callbacks(execute=True):
        tick()
    assert empty_queue(queue) == 1


def test_old_matches_do_not_count_as_pending() -> None:
    pool(2)
    tick()
    Match.objects.update(status=MatchStatus.FINISHED, finished_at=NOW - timedelta(hours=1))
    assert {candidate.pending for candidate in ladder.ladder_candidates("reversi", now=NOW)} == {0}
