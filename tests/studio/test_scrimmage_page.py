"""The scrimmage form: its list of opponents, its limits, and the selection that it keeps after a refusal."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from arena.accounts import services
from arena.accounts.models import User
from arena.platform.refusal import LIMIT
from arena.studio import opponents
from arena.submissions.models import Bot
from tests.factories import bot, person
from tests.note_codes import note_codes
from tests.ratings.stored_matches import create_rating
from tests.refusals import form_codes

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(client: Client) -> User:
    author = person("ann")
    client.force_login(author)
    return author


def page(client: Client, query: str = "", language: str = "en") -> str:
    response = client.get(reverse("scrimmage-new") + query, headers={"accept-language": language})
    return response.content.decode()


def row(text: str, bot_id: int) -> str:
    """Return the markup of an opponent's row."""
    rows = (found[0] for found in re.finditer(r"<label.*?</label>", text, re.DOTALL))
    return next(one for one in rows if f'value="{bot_id}"' in one)


def offered_bots(text: str) -> list[int]:
    return [int(one) for one in re.findall(r'name="opponents" value="(\d+)"', text)]


def request_scrimmage(client: Client, mine: Bot, *opponents: int) -> Any:
    answers = {"game": mine.game, "mine": mine.pk, "opponents": list(opponents)}
    return client.post(reverse("scrimmage-new"), {**answers, "side": "second", "move_seconds": "7", "pace": "0.6"})


def test_opponents_show_avatar_level_and_rating(client: Client, ann: User) -> None:
    bot(ann)
    rival = create_rating(1712, "Rival").submission.bot
    house = bot(services.house_account(), name="Corners")
    graded = bot(services.house_account(), name="Third")
    Bot.objects.filter(pk__in=[house.pk, graded.pk]).update(is_house=True, texts={"zh-hans": {"name": "抢角"}})
    Bot.objects.filter(pk=graded.pk).update(level=3)
    text = page(client)
    assert all('class="avatar' in row(text, one.pk) for one in (rival, house, graded))
    assert "1712" in row(text, rival.pk)
    assert rival.owner.username in row(text, rival.pk)
    assert "Level 3" in row(text, graded.pk)
    assert [note_codes(row(text, one.pk)) for one in (rival, graded, house)] == [[], [], ["unrated"]]
    assert "抢角" in row(page(client, language="zh-hans"), house.pk)
    assert offered_bots(text)[:2] == [house.pk, graded.pk]  # "Corners" is on the learning path


def test_opponent_from_the_link_is_chosen_and_comes_first(
    client: Client, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opponents, "MAX_OPPONENTS_OFFERED", 2)
    bot(ann, name="a")
    others = [bot(name=name) for name in ("b", "c", "d")]
    text = page(client, f"?against={others[-1].pk}")
    assert " checked" in row(text, others[-1].pk)
    assert text.count(" checked") == 1
    assert offered_bots(text)[0] == others[-1].pk
    assert len(offered_bots(text)) == 2
    assert offered_bots(page(client, "?against=x&against=99999999999999999999")) != []


def test_games_with_many_seats_offer_several_opponents(client: Client, ann: User) -> None:
    bot(ann, game="golden_point")
    others = [bot(game="golden_point").pk for _ in range(2)]
    text = page(client, f"?game=golden_point&against={others[0]}&against={others[1]}")
    assert [row(text, one).count('type="checkbox"') for one in others] == [1, 1]
    assert text.count(" checked") == 2


@pytest.mark.long
def test_usage_is_shown_before_the_limit_is_reached(client: Client, ann: User, settings: Settings) -> None:
    settings.SCRIMMAGES_AN_HOUR = 2
    mine = bot(ann)
    request_scrimmage(client, mine, bot().pk)
    text = page(client)
    assert ("use" in note_codes(text), 'data-used="1"' in text) == (True, True)
    request_scrimmage(client, mine, bot().pk)
    assert LIMIT in note_codes(page(client))


def test_refused_request_keeps_the_selection(client: Client, ann: User, settings: Settings) -> None:
    settings.SCRIMMAGES_AN_HOUR = 1
    mine, other = bot(ann), bot()
    request_scrimmage(client, mine, other.pk)
    response = request_scrimmage(client, mine, other.pk)
    text = response.content.decode()
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0
    assert form_codes(response) == [LIMIT]
    assert 'value="7"' in text
    assert 'value="second" selected' in text
    assert " checked" in row(text, other.pk)


def test_missing_opponent_is_reported_at_the_list(client: Client, ann: User) -> None:
    response = request_scrimmage(client, bot(ann))
    assert response.status_code == 422
    assert response.content.decode().count("id_opponents-errors") == 2


def test_total_time_limit_is_shown(client: Client, ann: User) -> None:
    bot(ann)
    assert "match_limit" in note_codes(page(client))
