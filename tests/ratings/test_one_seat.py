"""Matches with a single seat are unrated, because a rating only compares bots that played in the same match."""

from __future__ import annotations

import random

import pytest
from django.test import Client
from django.urls import reverse

from arena.ratings import ladder, match_log, services
from arena.ratings.models import Rating
from tests import factories
from tests.platform.workers.workers import NOW
from tests.ratings.stored_matches import store_match
from tests.scored.installed import install_scored_games

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _install_dare(monkeypatch: pytest.MonkeyPatch) -> None:
    install_scored_games(monkeypatch)


def test_single_seat_matches_are_unrated_and_others_are_rated() -> None:
    one, two, three = (factories.submission(factories.bot(game="dare")) for _ in range(3))
    for _ in range(3):
        store_match([one], [1])
    assert match_log.total_before("dare").matches == 0
    assert not services.refresh("dare")
    store_match([two, three], [1, 2])
    store_match([three, two], [2, 1])
    assert match_log.total_before("dare").matches == 2
    assert services.refresh("dare")
    rated = {rating.submission_id: rating.value for rating in Rating.objects.filter(game="dare")}
    assert set(rated) == {two.pk, three.pk}
    assert rated[two.pk] > rated[three.pk]
    assert services.rebuild("dare") == 2


def test_single_seat_game_has_no_ladder() -> None:
    for _ in range(3):
        factories.bot(game="solitary")
    assert ladder.create_ladder_matches("solitary", 5, now=NOW, rng=random.Random(1)) == []
    assert len(ladder.create_ladder_matches("dare", 5, now=NOW, rng=random.Random(1))) == 0, (
        "without bots there is nothing to play"
    )
    for _ in range(3):
        factories.bot(game="dare")
    assert len(ladder.create_ladder_matches("dare", 5, now=NOW, rng=random.Random(1))) == 1


def test_leaderboard_of_unrated_game_explains_why_it_is_empty() -> None:
    response = Client().get(reverse("ladder", args=["solitary"]))
    assert (response.status_code, response.url) == (302, reverse("leaderboard", args=["solitary"]))  # type: ignore[attr-defined]
    page = Client().get(reverse("leaderboard", args=["solitary"])).content.decode()
    assert 'data-empty="unrated"' in page
    assert 'data-empty="none"' in Client().get(reverse("leaderboard", args=["dare"])).content.decode()
