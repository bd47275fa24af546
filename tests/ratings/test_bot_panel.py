"""The bot page has a rating panel, which agrees with the leaderboard and explains missing ratings."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from arena.ratings import ladder_pool, services
from arena.ratings.bot_panel import rating_of_bot
from arena.ratings.queries import leaderboard, row_of_bot
from arena.submissions.models import Bot
from tests import factories
from tests.note_codes import note_codes
from tests.ratings.stored_matches import START, store_match

pytestmark = pytest.mark.django_db


def page(bot: Bot) -> str:
    response = Client().get(reverse("bot", args=[bot.pk]))
    assert response.status_code == 200
    return response.content.decode()


def rated_bots() -> tuple[Bot, Bot]:
    """Create two rated bots; the first has played with two versions, each on a different day."""
    bot, other = factories.bot(name="Fox"), factories.bot()
    assert bot.active is not None
    assert other.active is not None
    store_match([bot.active, other.active], (1, 2))
    bot.active = factories.submission(bot)
    bot.save()
    store_match([bot.active, other.active], (1, 2), day=1)
    services.refresh("reversi")
    return bot, other


def test_rating_history_marks_versions() -> None:
    bot, _ = rated_bots()
    found = rating_of_bot(bot.pk, AnonymousUser())
    assert found is not None
    assert [(point["version"], point["first"], point["matches"]) for point in found.points] == [
        (1, True, 1),
        (2, True, 1),
    ]
    midnight = int(START.replace(hour=0).timestamp())
    assert [point["time"] for point in found.points] == [midnight, midnight + 86_400]
    assert all(point["low"] < point["value"] < point["high"] for point in found.points)
    shown = page(bot)
    assert "data-rating-chart" in shown
    assert "rating-points" in shown
    assert "Daily ratings" in shown
    assert "1–2 of 2" in shown
    assert "rank_range" in note_codes(shown)


def test_unrated_and_excluded_bots_are_explained() -> None:
    bot = factories.bot()
    shown = page(bot)
    assert "unrated" in note_codes(shown)
    assert "data-rating-chart" not in shown
    ladder_pool.choose_bots(bot.owner_id, "reversi", [], offered=[bot.pk], now=START)
    assert "kept_out" in note_codes(page(bot))


def test_unplayable_bot_has_no_panel() -> None:
    assert rating_of_bot(factories.bot(playable=False).pk, AnonymousUser()) is None
    assert rating_of_bot(0, AnonymousUser()) is None


def test_retired_bot_keeps_its_history() -> None:
    bot, _ = rated_bots()
    bot.retired = True
    bot.save()
    found = rating_of_bot(bot.pk, AnonymousUser())
    assert found is not None
    assert found.row is None
    assert len(found.newest) == 2


def test_panel_takes_five_queries(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    bot, _ = rated_bots()
    with django_assert_num_queries(5):
        rating_of_bot(bot.pk, AnonymousUser())


def test_panel_matches_the_leaderboard_row() -> None:
    """The panel and the leaderboard agree, even on a bot whose newest version has not played yet."""
    bot, other = rated_bots()
    bot.active = factories.submission(bot)
    bot.save()
    board = leaderboard("reversi")
    assert len(board) == 2
    assert board[0].matches == 0 or board[1].matches == 0
    for one in (bot, other):
        assert row_of_bot(one.pk, "reversi") == (board.row_of_bot(one.pk), 2)
