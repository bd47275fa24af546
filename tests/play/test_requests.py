"""Requests for duels: clocks, permitted opponents, limits and rematches."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.services import claims_in_turn, shared_queue
from arena.platform.jobs.fair_share import count_rows_ahead
from arena.platform.quota import END_SECONDS
from arena.platform.refusal import LIMIT
from arena.play import limits, queries, requests
from arena.play.identity import Visitor
from arena.play.models import Duel
from arena.play.opponents import opponents
from arena.ratings.match_log import RATED
from arena.submissions.models import Bot
from tests.factories import bot, person
from tests.play.duels import create_duel, house_bot
from tests.refusals import expect_refusal

pytestmark = pytest.mark.django_db


def guest(name: str = "g", origin: str = "here") -> Visitor:
    return Visitor(None, name, origin)


def end_match(match: Match, minutes_ago: int = 0) -> None:
    created = timezone.now() - timedelta(minutes=minutes_ago)
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.FINISHED, created_at=created)


def request_rematch(match: Match, visitor: Visitor) -> int:
    return requests.rematch(match.pk, visitor, now=timezone.now(), rng=random.Random(2))


def test_duel_gives_the_person_a_clock_and_is_unrated() -> None:
    ann = person()
    match = create_duel(ann, seat=1, clock=300)
    theirs, mine = match.seats.order_by("index")
    assert (mine.person, mine.submission, mine.clock) == (ann, None, 300)
    assert theirs.submission is not None
    assert match.purpose == Purpose.DUEL not in RATED
    assert match.limits["move_seconds"] == requests.HOUSE_SECONDS


def test_guests_of_one_network_share_a_queue_position() -> None:
    ann = person()
    first, second, third = (create_duel(guest(name)) for name in ("g", "h", "i"))
    theirs = create_duel(ann)
    assert first.party == second.party != create_duel(guest("j", "elsewhere")).party
    assert [
        count_rows_ahead(shared_queue(Purpose.DUEL, now=timezone.now()), each.pk) for each in (first, theirs, second)
    ] == [
        0,
        1,
        3,
    ]
    for expected in (first, theirs):
        lease = claims_in_turn(third.pk, worker="w", games=lambda kind: ["reversi"])()
        assert lease is not None
        assert lease.pk == expected.pk
    shown = queries.duel_page(second.pk)
    assert shown is not None
    assert shown.ahead == 1, "the guest elsewhere"


def test_students_bot_gets_more_time_and_can_opt_out() -> None:
    ours, theirs = house_bot(), bot(name="willing")
    unwilling = bot(name="unwilling")
    Bot.objects.filter(pk=unwilling.pk).update(plays_people=False)
    found = opponents("reversi", for_guest=False)
    assert [one.id for one in found.levels] == [ours.pk]
    assert [one.id for one in found.students] == [theirs.pk]
    assert create_duel(against=theirs).limits["move_seconds"] == requests.STUDENTS_SECONDS
    with expect_refusal("bot_unavailable"):
        create_duel(against=unwilling)


def test_guests_play_only_house_bots() -> None:
    house_bot(), house_bot("Corners", None), bot()
    found = opponents("reversi", for_guest=True)
    assert (len(found.levels), len(found.house), found.students) == (1, 1, ())
    with expect_refusal("bot_unavailable"):
        create_duel(guest(), bot())
    match = create_duel(guest())
    assert match.requested_by is None
    assert Duel.objects.get().guest == "g"


def test_unavailable_bots_are_not_offered_as_opponents() -> None:
    retired, unchecked = house_bot("Retired"), bot(playable=False)
    Bot.objects.filter(pk=retired.pk).update(retired=True)
    Bot.objects.filter(pk=unchecked.pk).update(is_house=True, level=2)
    assert opponents("reversi", for_guest=False).levels == ()


def test_each_person_plays_one_game_at_a_time() -> None:
    ann, ours = person(), house_bot()
    first = create_duel(ann, ours)
    with expect_refusal("match_in_progress") as refusal:
        create_duel(ann, ours)
    assert refusal.value.facts == {"running": first.pk}
    end_match(first)
    create_duel(ann, ours)
    create_duel(guest(), ours)
    with expect_refusal("match_in_progress"):
        create_duel(guest(), ours)


def test_hourly_number_of_games_is_limited(settings: Settings) -> None:
    settings.DUELS_AN_HOUR, settings.GUEST_DUELS_AN_HOUR = 2, 1
    ann, ours = person(), house_bot()
    for minutes in (70, 30, 10):
        end_match(create_duel(ann, ours), minutes)
    with expect_refusal(LIMIT):
        create_duel(ann, ours)
    create_duel(person(is_staff=True), ours)
    end_match(create_duel(guest("one"), ours))
    with expect_refusal(LIMIT):
        create_duel(guest("another from the same address"), ours)
    create_duel(guest("elsewhere", "there"), ours)


def test_simultaneous_games_of_one_guest_network_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "GUESTS_AT_ONCE", 2)
    ours = house_bot()
    create_duel(guest("one"), ours)
    create_duel(guest("two"), ours)
    with expect_refusal(LIMIT) as refused:
        create_duel(guest("three"), ours)
    assert refused.value.retry_after == END_SECONDS
    create_duel(person(), ours)


def test_rematch_swaps_colours_and_is_idempotent() -> None:
    ann = person()
    first = create_duel(ann, clock=300)
    with expect_refusal("match_in_progress"):
        request_rematch(first, Visitor(ann))
    end_match(first)
    second = request_rematch(first, Visitor(ann))
    assert request_rematch(first, Visitor(ann)) == second
    mine = Match.objects.get(pk=second).seats.get(index=1)
    assert (mine.person, mine.clock) == (ann, 300)
