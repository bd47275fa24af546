from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from arena.accounts import services
from arena.accounts.models import User
from arena.core.referee.testing import ScriptedTurn
from arena.matches import queries, scrimmages
from arena.matches.models import Match, MatchStatus
from arena.matches.scrimmages import Scrimmage
from arena.matches.verification import problems_of
from arena.platform.refusal import LIMIT
from arena.submissions.models import Bot
from tests.factories import bot, person, queued_match
from tests.matches.scripted import BLACK, WHITE, play
from tests.note_codes import note_codes
from tests.refusals import expect_refusal

pytestmark = pytest.mark.django_db


def request_scrimmage(who: User, minutes: int = 0, *, ended: bool = True) -> int:
    """Request a scrimmage, dated ``minutes`` ago, finished unless ``ended`` is false; return its id."""
    mine, other = bot(who), bot()
    wish = Scrimmage("reversi", (mine.pk, other.pk), {}, 10.0, 0.0)
    pk = scrimmages.request_scrimmage(who, wish, now=timezone.now(), rng=random.Random(1))
    status = MatchStatus.FINISHED if ended else MatchStatus.QUEUED
    Match.objects.filter(pk=pk).update(created_at=timezone.now() - timedelta(minutes=minutes), status=status)
    return pk


def test_hourly_limit_states_when_to_retry(settings: Settings) -> None:
    settings.SCRIMMAGES_AN_HOUR = 3
    ann = person()
    for minutes in (70, 50, 20, 10):
        request_scrimmage(ann, minutes)
    with expect_refusal(LIMIT) as refused:
        request_scrimmage(ann)
    assert refused.value.retry_after == pytest.approx(600, abs=60)
    request_scrimmage(person())


def test_fourth_concurrent_scrimmage_is_refused() -> None:
    ann = person()
    for _ in range(3):
        request_scrimmage(ann, ended=False)
    with expect_refusal(LIMIT):
        request_scrimmage(ann)


def test_staff_have_no_scrimmage_limit(settings: Settings) -> None:
    settings.SCRIMMAGES_AN_HOUR = 1
    staff = person(is_staff=True)
    for _ in range(5):
        request_scrimmage(staff, ended=False)


@pytest.mark.usefixtures("broker")
@pytest.mark.django_db(transaction=True)
def test_scrimmage_at_its_time_limit_has_no_winner_and_names_slow_bot(client: Client, settings: Settings) -> None:
    ann = person()
    settings.SCRIMMAGE_SECONDS = 75.0
    slow = Match.objects.get(pk=request_scrimmage(ann, ended=False))
    assert play(
        slow, [ScriptedTurn(move, takes=9.9) for move in BLACK], [ScriptedTurn(move, takes=9.9) for move in WHITE]
    )
    slow.refresh_from_db()
    assert (slow.status, slow.termination, slow.failure) == (MatchStatus.FINISHED, "time_limit", None)
    black, white = slow.seats.all()
    assert (black.rank, white.rank, black.points, white.points) == (1, 1, 0.0, 0.0)
    assert black.seconds + white.seconds == pytest.approx(75.0, abs=1.0)
    assert problems_of(slow.pk) == []
    page = client.get(reverse("match", args=[slow.pk])).content.decode()
    assert "time_limit" in note_codes(page)
    assert "1 min 15 s" in page
    assert not slow.failed_attempts.exists()
    (card,) = queries.cards_of_ids([slow.pk])
    assert {(seat.rank, seat.points) for seat in card.seats} == {(None, None)}, "nobody has won"


@pytest.mark.long
def test_house_bots_and_house_account_have_localized_names(client: Client) -> None:
    ann, corners = person("ann"), bot(services.house_account(), name="Corners")
    Bot.objects.filter(pk=corners.pk).update(is_house=True, texts={"zh-hans": {"name": "抢角"}})
    address = reverse("match", args=[queued_match([bot(ann, name="Mine"), corners]).pk])
    client.force_login(ann)
    shown = client.get(address, headers={"accept-language": "zh-hans"}).content.decode()
    assert "抢角" in shown
    assert "内置 · v1" in shown
    assert "ann · v1" in shown
    assert "house · v1" in client.get(address).content.decode()


def test_match_page_shows_the_total_time_limit(client: Client, settings: Settings) -> None:
    settings.SCRIMMAGE_SECONDS = 600.0
    match = Match.objects.get(pk=request_scrimmage(person(), ended=False))
    assert match.limits["match_seconds"] == 600.0
    assert "10 min" in client.get(reverse("match", args=[match.pk])).content.decode()
