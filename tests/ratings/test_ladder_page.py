"""The ladder page: what it shows, and who may change the ladder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from arena.accounts.models import User
from arena.ratings import ladder, ladder_queries
from arena.ratings.ladder_queries import LadderState
from arena.ratings.models import LadderOptOut, LadderPause
from arena.ratings.spare_capacity import SpareCapacity
from arena.submissions.models import Bot
from tests import factories
from tests.note_codes import note_codes
from tests.platform.workers.workers import NOW
from tests.ratings.ladders import IDLE, pool, tick
from tests.ratings.stored_matches import create_rating
from tests.refusals import codes_shown, form_codes

pytestmark = pytest.mark.django_db


def state(spare: SpareCapacity = IDLE) -> LadderState:
    return ladder_queries.ladder_of("reversi", spare, now=NOW).state


def test_page_shows_why_the_ladder_plays_or_not() -> None:
    assert state() == LadderState.TOO_FEW
    pool(2)
    assert state() == LadderState.PLAYING
    assert state(replace(IDLE, is_claimed=True)) == LadderState.GIVING_WAY
    assert state(replace(IDLE, served=frozenset())) == LadderState.NO_WORKER
    ladder.pause("reversi", now=NOW)
    assert state() == LadderState.PAUSED


def test_ladder_rests_when_all_ratings_are_certain() -> None:
    for name in ("Ann", "Bob"):
        create_rating(1500, name, deviation=5)
    assert state() == LadderState.RESTING


def page_of(client: Client) -> str:
    return client.get(reverse("ladder", args=["reversi"])).content.decode()


def page(person: User | None = None, game: str = "reversi") -> str:
    client = Client()
    if person is not None:
        client.force_login(person)
    response = client.get(reverse("ladder", args=[game]))
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.long
def test_page_explains_each_state() -> None:
    assert 'data-state="too_few"' in page()
    assert 'data-empty="none"' in page()
    pool(2)
    assert 'data-state="no_worker"' in page()
    tick()
    assert 'data-state="playing"' in page()
    assert "?purpose=ladder&amp;game=reversi" in page()
    ladder.pause("reversi", now=NOW)
    assert 'data-state="paused"' in page()
    assert Client().get(reverse("ladder", args=["chess"])).status_code == 404


def choose(client: Client, chosen: Sequence[Bot], offered: Sequence[Bot]) -> Any:
    data = {"bots": [bot.pk for bot in chosen], "offered": [bot.pk for bot in offered]}
    return client.post(reverse("ladder-bots", args=["reversi"]), data)


@pytest.mark.long
def test_author_can_exclude_and_include_a_bot() -> None:
    owner = factories.person()
    bot = factories.bot(owner, name="Fox of a person")
    factories.bot(owner, name="Egg", playable=False)
    client = Client()
    client.force_login(owner)
    assert "Fox of a person" in page(owner)
    assert note_codes(page(owner)) == ["unchecked"]
    saved = choose(client, [], [bot])
    assert saved.headers["Location"] == reverse("ladder", args=["reversi"]) + "#content"
    assert codes_shown(saved) == ["saved"]
    assert LadderOptOut.objects.filter(bot=bot).exists()
    assert "Fox of a person" not in page(factories.person())
    choose(client, [bot], [bot])
    assert not LadderOptOut.objects.exists()


@pytest.mark.long
def test_choosing_too_many_bots_is_refused_with_advice(settings: Settings) -> None:
    settings.LADDER_BOTS_PER_AUTHOR = 1
    owner = factories.person()
    bots = [factories.bot(owner, name=name) for name in ("Fox", "Hen")]
    client = Client()
    client.force_login(owner)
    shown = client.get(reverse("bot", args=[bots[1].pk])).content.decode()
    assert "surplus_own" in note_codes(shown)
    assert reverse("ladder", args=["reversi"]) + "#own-title" in shown
    assert "surplus" in note_codes(Client().get(reverse("bot", args=[bots[1].pk])).content.decode())
    refused = choose(client, bots, bots)
    assert refused.status_code == 422
    assert form_codes(refused, "bots") == ["too_many_bots"]
    assert choose(client, bots[1:], bots).status_code == 302
    shown = client.get(reverse("bot", args=[bots[1].pk])).content.decode()
    assert not {"surplus", "surplus_own"} & set(note_codes(shown))


def test_only_the_author_can_choose_bots() -> None:
    bot = factories.bot()
    address = reverse("ladder-bots", args=["reversi"])
    assert Client().post(address).headers["Location"].startswith(reverse("login"))
    client = Client()
    client.force_login(factories.person())
    assert choose(client, [], [bot]).status_code == 404, "without a bot of one's own there is nothing to choose"
    other = factories.bot()
    client.force_login(other.owner)
    assert choose(client, [other], [bot]).status_code == 422
    assert client.get(address).status_code == 405
    assert not LadderOptOut.objects.exists()


@pytest.mark.long
def test_staff_can_pause_the_ladder() -> None:
    staff, student = factories.person(is_staff=True), factories.person()
    client = Client()
    client.force_login(student)
    assert client.post(reverse("ladder-pause", args=["reversi"])).status_code == 403
    assert reverse("ladder-pause", args=["reversi"]) not in page(student)
    client.force_login(staff)
    assert reverse("ladder-pause", args=["reversi"]) in page(staff)
    client.post(reverse("ladder-pause", args=["reversi"]))
    assert list(LadderPause.objects.values_list("game", flat=True)) == ["reversi"]
    assert "Resume" in page(staff)
    client.post(reverse("ladder-resume", args=["reversi"]))
    assert not LadderPause.objects.exists()
