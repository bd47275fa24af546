"""Titles and other strings of the examples are looked up by code and shown in the reader's language."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from arena.games.golden_point.recordings.models import Example
from arena.games.golden_point.recordings.texts import example_texts, examples_with, player_name


@pytest.mark.parametrize("example", Example)
def test_texts_of_an_example_are_in_the_readers_language(example: Example) -> None:
    english = example_texts(example)
    with override("zh-hans"):
        assert all(shown != text for shown, text in zip(example_texts(example), english, strict=True))


def test_only_players_without_a_name_are_numbered_in_the_readers_language() -> None:
    assert player_name("", 13) == "Player 14"
    with override("zh-hans"):
        assert player_name("", 13) == "14 号玩家"
        assert player_name("Player 14", 2) == "Player 14", "an uploaded name"


def test_examples_are_searched_in_the_readers_language() -> None:
    assert examples_with("AI-EDU") == [Example.COURSE]
    assert examples_with("rounds") == [Example.COURSE]
    with override("zh-hans"):
        assert examples_with("轮") == [Example.COURSE]
        assert examples_with("rounds") == []


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.usefixtures("example")
def test_pages_of_the_example_are_in_the_readers_language() -> None:
    client = Client(headers={"accept-language": "zh-hans"})
    with override("zh-hans"):
        title, credit = example_texts(Example.COURSE)
    response = client.get(reverse("recording", args=["example"]))
    page = response.content.decode()
    assert title in page
    assert credit in page
    assert response.context["snapshot"]["seats"][13]["name"] == "14 号玩家"
    assert title in client.get(reverse("recording-list"), {"text": "轮"}).content.decode()
    analysis = client.get(reverse("golden-point-analysis", args=["recordings", "example"]))
    assert analysis.context["match"].players[22] == "23 号玩家"


@pytest.mark.django_db
@pytest.mark.usefixtures("example")
def test_admin_lists_the_example_by_its_title(admin_client: Client) -> None:
    page = admin_client.get(reverse("admin:recordings_recording_changelist"))
    assert example_texts(Example.COURSE)[0] in page.content.decode()
