"""The URLs of a match's share card and animation: who may open them, and when they exist."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from arena.matches.models import Match
from arena.platform.live.testing import MemoryBroker
from tests.factories import queued_match
from tests.matches.scripted import BLACK, WHITE, answers, play

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def finished_match(broker: MemoryBroker) -> Match:
    match = queued_match()
    assert play(match, answers(BLACK), answers(WHITE))
    return match


@pytest.mark.long
def test_match_page_has_its_card_as_open_graph_image(client: Client, finished_match: Match) -> None:
    page = client.get(reverse("match", args=[finished_match.pk])).content.decode()
    card = reverse("match-card", args=[finished_match.pk])
    assert f'<meta property="og:image" content="{settings.SITE_URL}{card}">' in page
    answer = client.get(card)
    assert answer["Content-Type"] == "image/png"
    assert client.get(card, {"at": "3"}).content != answer.content
    assert client.get(card, {"at": "999"}).content == client.get(card, {"at": "x"}).content == answer.content


def test_image_description_has_no_latin_colon_in_chinese(client: Client, finished_match: Match) -> None:
    page = client.get(
        reverse("match", args=[finished_match.pk]), headers={"accept-language": "zh-hans"}
    ).content.decode()
    description = page.split('<meta property="og:image:alt" content="')[1].split('"')[0]
    assert "：" in description
    assert ": " not in description


def test_animation_has_one_frame_per_turn(client: Client, finished_match: Match) -> None:
    animation = client.get(reverse("match-animation", args=[finished_match.pk])).json()
    assert len(animation["frames"]) == 1 + len(BLACK) + len(WHITE)
    assert all(frame.startswith("<svg") for frame in animation["frames"])


@pytest.mark.long
def test_unfinished_match_has_a_card_but_no_animation(client: Client, broker: MemoryBroker) -> None:
    match = queued_match()
    assert client.get(reverse("match-card", args=[match.pk])).status_code == HTTPStatus.OK
    assert client.get(reverse("match-animation", args=[match.pk])).status_code == HTTPStatus.NOT_FOUND
    assert b"data-animation" not in client.get(reverse("match", args=[match.pk])).content


@pytest.mark.long
@pytest.mark.parametrize("name", ["match-card", "match-animation"])
def test_withheld_results_have_no_card_or_animation(client: Client, finished_match: Match, name: str) -> None:
    address = reverse(name, args=[finished_match.pk])
    assert client.get(address).status_code == HTTPStatus.OK
    Match.objects.filter(pk=finished_match.pk).update(withheld=True)
    assert client.get(address).status_code == HTTPStatus.NOT_FOUND
    assert client.get(reverse(name, args=[finished_match.pk + 1000])).status_code == HTTPStatus.NOT_FOUND
