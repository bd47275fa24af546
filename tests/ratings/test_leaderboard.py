"""Leaderboards: which bots they list, in which order, and with what uncertainty."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from arena.core.ranking.rating import STEP_DEVIATION
from arena.ratings import services
from arena.ratings.models import Rating
from arena.ratings.queries import leaderboard, leaders, ratings_of
from arena.ratings.verification import rating_differences
from arena.submissions.models import Submission
from tests import factories
from tests.ratings.stored_matches import create_rating, store_match

pytestmark = pytest.mark.django_db


def text(game: str = "reversi", client: Client | None = None, **query: object) -> str:
    response = (client or Client()).get(reverse("leaderboard", args=[game]), query)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.long
def test_leaderboard_is_ranked_searchable_and_paginated() -> None:
    for number in range(60):
        create_rating(1000 + number, f"Bot{number}")
    page = text()
    assert page.index("Bot59") < page.index("Bot58")
    assert "Bot0<" not in page
    assert "Bot0<" in text(page=2)
    found = text(text="bot33")
    assert "Bot33" in found
    assert "Bot34" not in found
    assert 'data-empty="no_match"' in text(text="zzz")
    assert 'data-empty="none"' in text("golden_point")
    assert Client().get(reverse("leaderboard", args=["chess"])).status_code == 404
    assert Client().get(reverse("leaderboards")).headers["Location"] == reverse("leaderboard", args=["reversi"])


def test_search_does_not_change_ranks() -> None:
    for value in (2000, 1500, 1000):
        create_rating(value, f"Bot{value}", deviation=10)
    assert 'data-rank="3"' in text(text="Bot1000")


def test_filter_separates_student_and_house_bots() -> None:
    house = create_rating(1600, "House owl").submission.bot
    house.is_house = True
    house.save()
    create_rating(1500, "Fox of a person")
    assert "House owl" not in text(field="people")
    assert "Fox of a person" not in text(field="house")
    assert "Fox of a person" in text(field="nonsense")


@pytest.mark.long
def test_house_bot_names_are_localized() -> None:
    house = create_rating(1900, "Corners").submission.bot
    house.is_house, house.texts = True, {"zh-hans": {"name": "抢角"}}
    house.save()
    chinese = Client(headers={"accept-language": "zh-CN"})
    assert "抢角" in text(client=chinese)
    assert "抢角" in text(client=chinese, text="抢")
    assert "抢角" in chinese.get(reverse("home")).content.decode()
    assert "抢角" not in text()


def test_overlapping_intervals_share_a_range_of_ranks() -> None:
    create_rating(2000, "Ann", deviation=10)
    create_rating(1520, "Bob", deviation=20)
    create_rating(1500, "Cid", deviation=20)
    assert [(line.name, line.best, line.worst) for line in leaderboard("reversi")] == [
        ("Ann", 1, 1),
        ("Bob", 2, 3),
        ("Cid", 2, 3),
    ]
    page = text()
    assert 'data-rank="1"' in page
    assert "2–3" in page
    assert 'data-note="rank_range"' in page
    assert "1481–1559" in page


def test_new_version_inherits_rank_of_previous_version() -> None:
    bot, other = factories.bot(name="Fox"), factories.bot()
    assert bot.active is not None
    assert other.active is not None
    for _ in range(5):
        store_match([bot.active, other.active], (1, 2))
    services.refresh("reversi")
    (before,) = [line for line in leaderboard("reversi") if line.name == "Fox"]
    bot.active = factories.submission(bot)
    bot.save()
    (after,) = [line for line in leaderboard("reversi") if line.name == "Fox"]
    assert (after.version, after.matches, after.value) == (2, 0, before.value)
    assert after.estimate.deviation == pytest.approx((before.estimate.deviation**2 + STEP_DEVIATION**2) ** 0.5)
    assert 'data-note="unplayed"' in text()
    store_match([bot.active, other.active], (2, 1), day=1)
    services.refresh("reversi")
    (rerated,) = [line for line in leaderboard("reversi") if line.name == "Fox"]
    assert rerated.value < before.value
    assert rerated.matches == 1


def test_ineligible_bots_are_not_listed() -> None:
    create_rating(1500, "Fox of a person").submission.bot.delete()
    retired = create_rating(1500, "Owl").submission.bot
    retired.retired = True
    retired.save()
    earlier = create_rating(1500, "Elk").submission.bot
    earlier.active = None
    earlier.save()
    factories.bot(name="Unplayed")
    assert not leaderboard("reversi")
    assert leaders("reversi", 5) == []


def test_leaderboard_takes_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for number in range(5):
        create_rating(1500, f"Bot{number}")
    with django_assert_num_queries(1):
        assert len(leaderboard("reversi")) == 5


def test_leaders_are_the_top_of_the_leaderboard() -> None:
    """The leaders equal the leaderboard's top rows even if a bot's active version is unrated or not its newest."""
    for number in range(4):
        first = create_rating(1500 + number, f"Bot{number}").submission
        later = factories.submission(first.bot)
        if number == 1:
            first.bot.active = later
            first.bot.save()
        if number == 2:
            Rating.objects.filter(submission=first).update(value=900)
        if number == 3:
            counts = {"matches": 1, "wins": 1, "draws": 0, "losses": 0}
            Rating.objects.create(submission=later, game="reversi", value=3000, deviation=50, **counts)
    lines = leaderboard("reversi")
    assert [line.name for line in lines] == ["Bot3", "Bot1", "Bot0", "Bot2"]
    assert [(one.bot_id, one.value) for one in leaders("reversi", 3)] == [(one.bot_id, one.value) for one in lines[:3]]


def test_ratings_of_bots_in_several_games() -> None:
    one, other = create_rating(1600, "Fox"), create_rating(1400, "Owl", "golden_point")
    unrated = factories.bot()
    bots = [one.submission.bot_id, other.submission.bot_id]
    assert ratings_of([*bots, unrated.pk]) == {bots[0]: 1600, bots[1]: 1400}


def create_active_version(name: str, game: str = "reversi") -> Submission:
    """Create a bot and return its active version."""
    made = factories.bot(game=game, name=name).active
    assert made is not None
    return made


def play_tables(*places: int, number: int = 14) -> list[Submission]:
    """Play ``number`` golden-point matches in which each bot always finishes in the given place."""
    bots = [create_active_version(f"Gold{seat}", "golden_point") for seat in range(len(places))]
    for _ in range(number):
        store_match(bots, places)
    services.refresh("golden_point")
    return bots


@pytest.mark.long
def test_large_tables_show_mean_rank_instead_of_losses() -> None:
    places = (1, 2, *range(3, 12))
    second = play_tables(*places)[1]
    lines = {line.submission: line for line in leaderboard("golden_point")}
    line = lines[second.pk]
    assert (line.matches, line.wins, line.mean_rank, line.mean_seats) == (14, 0, 2.0, 11.0)
    page = text("golden_point")
    assert "2.0 of 11" in page
    assert ">Lost<" not in page
    panel = Client().get(reverse("bot", args=[second.bot_id])).content.decode()
    assert "2.0 of 11" in panel
    assert 'data-part="mean-rank"' in panel
    assert 'data-part="won-drawn-lost"' not in panel
    assert rating_differences("golden_point") == []


def test_shared_first_places_are_neither_wins_nor_losses() -> None:
    first = play_tables(1, 1, 3, number=3)[0]
    panel = Client().get(reverse("bot", args=[first.bot_id])).content.decode()
    assert "and 3 shared" in panel
    assert "1.0 of 3" in panel


def test_two_seat_games_show_wins_draws_and_losses() -> None:
    one, other = create_active_version("One"), create_active_version("Other")
    for ranks in ((1, 2), (1, 2), (1, 1), (2, 1)):
        store_match([one, other], ranks)
    services.refresh("reversi")
    assert ">Lost<" in text()
    panel = Client().get(reverse("bot", args=[one.bot_id])).content.decode()
    _, found, facts = panel.partition('data-part="won-drawn-lost"')
    assert found
    assert "<dd>2 – 1 – 1</dd>" in facts
    assert 'data-part="mean-rank"' not in panel
