"""The guide to a game shows the code of its tutorial's steps and every member of its state."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from arena.games.bot_packages import example_bots, starter, tutorial_steps
from arena.games.registry import GAMES
from arena.games.sites import SITES
from arena.pages.game_guide import game_guide
from arena.pages.state_examples import state_examples
from arena.studio import drafts
from arena.studio.completions import completions
from arena.studio.drafts import DraftEdit, Workspace
from arena.ui.confirmation import CONFIRMED, QUESTION
from tests.factories import person

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def page(game: str, client: Client | None = None) -> str:
    response = (client or Client()).get(reverse("game-guide", args=[game]))
    assert response.status_code == 200
    return unescape(response.content.decode())


@pytest.mark.parametrize("game", GAMES)
def test_guide_shows_every_step_and_state_member(game: str) -> None:
    shown = page(game)
    for number, source in enumerate(tutorial_steps(game), start=1):
        for line, text in enumerate(source.splitlines(), start=1):
            assert f'id="step-{number}-L{line}"' in shown
            assert f">{text}</code>" in shown
    for one in completions(game)["classes"].values():
        for member in one["members"]:
            assert f"<code>{member['name']}{member['signature']}</code>" in shown
    assert all(example in shown for example in state_examples(game).values())
    assert all(f"<code>{one.code}</code>" in shown for one in SITES[game].answers)
    for bot in example_bots(game):
        assert all(f">{text}</code>" in shown for text in bot.source.splitlines())


@pytest.mark.parametrize("game", GAMES)
def test_each_state_member_is_described_only_once(game: str) -> None:
    """A list written by hand would contradict the generated reference sooner or later."""
    by_hand = page(game).split('id="state"')[0]
    terms = re.findall(r"<dt>(.*?)</dt>", by_hand)
    for one in completions(game)["classes"].values():
        for member in one["members"]:
            named = [term for term in terms if re.search(rf"\.{member['name']}\b", term)]
            assert not named


@pytest.mark.parametrize("has_reference", [True, False], ids=["with a reference", "without"])
def test_links_within_the_guide_have_targets(has_reference: bool) -> None:
    """Links work even if a game's guide has no reference for the class of its state."""
    guide = game_guide("reversi", AnonymousUser())
    assert guide is not None
    shown = guide if has_reference else replace(guide, classes=())
    text = render_to_string("pages/game_guide.html", {"guide": shown}, RequestFactory().get("/"))
    linked, targets = set(re.findall(r'href="#([\w-]+)"', text)), set(re.findall(r'id="([\w-]+)"', text))
    assert linked - targets <= {"content"}  # the skip link's target is the page's main part
    assert ("state" in linked) is has_reference


@pytest.mark.parametrize("game", GAMES)
def test_tutorial_sends_visitors_to_sign_up_and_back(game: str) -> None:
    sign_up = f'href="{reverse("signup")}?next={reverse("game-guide", args=[game])}"'
    assert sign_up in page(game)
    client = Client()
    client.force_login(person("reader"))
    assert sign_up not in page(game, client)


def test_unknown_game_has_no_guide() -> None:
    assert Client().get(reverse("game-guide", args=["chess"])).status_code == 404


def test_game_guide_is_linked_from_guide_and_learning_path() -> None:
    for name in ("bot-guide", "learning-path"):
        shown = Client().get(reverse(name)).content.decode()
        assert all(reverse("game-guide", args=[game]) in shown for game in GAMES)


@pytest.fixture
def reader() -> Any:
    client, user = Client(), person()
    client.force_login(user)
    return client, Workspace(user, "reversi")


def test_tutorial_step_opens_in_the_studio(reader: Any) -> None:
    client, workspace = reader
    address = reverse("studio-step", args=[workspace.game, 2])
    assert QUESTION not in page(workspace.game, client)
    response = client.post(address)
    assert (response.status_code, response["Location"]) == (302, reverse("studio-new", args=[workspace.game]))
    assert drafts.read_draft(workspace)[0].texts == {"main.py": tutorial_steps(workspace.game)[1]}
    assert client.post(reverse("studio-step", args=[workspace.game, 99])).status_code == 404
    assert client.get(address).status_code == 405
    assert Client().post(address)["Location"].startswith(reverse("login"))


def test_opening_a_step_asks_before_replacing_a_draft(reader: Any) -> None:
    client, workspace = reader
    drafts.save_draft(workspace, DraftEdit({"main.py": "x = 1\n", "more.py": "y = 2\n"}), now=NOW)
    assert QUESTION in page(workspace.game, client)
    address = reverse("studio-step", args=[workspace.game, 1])
    form = "application/x-www-form-urlencoded"
    confirmation = client.post(address, f"{QUESTION}=Replace", content_type=form)
    assert confirmation.status_code == 200
    assert "more.py" in drafts.read_draft(workspace)[0].texts
    client.post(address, f"{QUESTION}=Replace&{CONFIRMED}=yes", content_type=form)
    files, revision = drafts.read_draft(workspace)
    assert files.texts == {"main.py": tutorial_steps(workspace.game)[0]}
    assert revision == 2
    assert files.texts["main.py"] != starter(workspace.game)
