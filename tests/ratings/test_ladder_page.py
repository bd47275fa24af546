"""The page of the ladder says what it does, and who may change that."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from arena.accounts.models import User
from arena.ratings import ladder, ladder_queries
from arena.ratings.ladder_queries import LadderState
from arena.ratings.models import LadderAbsence, LadderPause
from arena.ratings.spare_capacity import SpareCapacity
from tests import factories
from tests.platform.workers.workers import NOW
from tests.ratings.ladders import IDLE, pool, tick
from tests.ratings.played import rated

pytestmark = pytest.mark.django_db


def state(spare: SpareCapacity = IDLE) -> LadderState:
    return ladder_queries.state_of("reversi", spare, now=NOW).state


def test_states() -> None:
    assert state() == LadderState.TOO_FEW
    pool(2)
    assert state() == LadderState.PLAYING
    assert state(replace(IDLE, is_claimed=True)) == LadderState.GIVING_WAY
    assert state(replace(IDLE, served=frozenset())) == LadderState.NO_WORKER
    ladder.pause("reversi", now=NOW)
    assert state() == LadderState.PAUSED


def test_it_rests_when_everything_is_known() -> None:
    for name in ("Ann", "Bob"):
        rated(1500, name, deviation=5)
    assert state() == LadderState.RESTING


def page(person: User | None = None, game: str = "reversi") -> str:
    client = Client()
    if person is not None:
        client.force_login(person)
    response = client.get(reverse("ladder", args=[game]))
    assert response.status_code == 200
    return response.content.decode()


def test_the_page_explains_itself() -> None:
    assert "It waits for bots" in page()
    assert "Nothing has been played yet" in page()
    pool(2)
    assert "No worker takes matches" in page()
    tick()
    assert "It plays" in page()
    assert "All of its matches" in page()
    ladder.pause("reversi", now=NOW)
    assert "paused by the staff" in page()
    assert Client().get(reverse("ladder", args=["chess"])).status_code == 404


def test_an_author_keeps_a_bot_out_and_lets_it_in() -> None:
    owner = factories.person()
    bot = factories.bot(owner, name="Fox")
    client = Client()
    client.force_login(owner)
    assert "Keep Fox out" in page(owner)
    assert client.post(reverse("ladder-leave", args=[bot.pk])).status_code == 302
    assert LadderAbsence.objects.filter(bot=bot).exists()
    assert "Let Fox play" in page(owner)
    assert "Fox" not in page(factories.person())
    client.post(reverse("ladder-join", args=[bot.pk]))
    assert not LadderAbsence.objects.exists()
    assert client.post(reverse("ladder-join", args=[bot.pk + 99])).status_code == 404


@pytest.mark.parametrize("name", ["ladder-leave", "ladder-join"])
def test_nobody_else_does(name: str) -> None:
    bot = factories.bot()
    address = reverse(name, args=[bot.pk])
    assert Client().post(address).headers["Location"].startswith(reverse("login"))
    client = Client()
    client.force_login(factories.person())
    assert client.post(address).status_code == 403
    assert client.get(address).status_code == 405
    assert not LadderAbsence.objects.exists()


def test_staff_pauses_it() -> None:
    staff, student = factories.person(is_staff=True), factories.person()
    client = Client()
    client.force_login(student)
    assert client.post(reverse("ladder-pause", args=["reversi"])).status_code == 403
    assert "Pause the ladder" not in page(student)
    client.force_login(staff)
    assert "Pause the ladder" in page(staff)
    client.post(reverse("ladder-pause", args=["reversi"]))
    assert list(LadderPause.objects.values_list("game", flat=True)) == ["reversi"]
    assert "Let it go on" in page(staff)
    client.post(reverse("ladder-go-on", args=["reversi"]))
    assert not LadderPause.objects.exists()
