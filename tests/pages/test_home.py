"""The home page shows the newest matches of at most two games, live ones first."""

from arena.matches.queries import FeaturedMatch
from arena.pages.home import choose_games


def test_two_featured_games_are_shown_in_order() -> None:
    found = {
        "chart": FeaturedMatch(1, is_live=True),
        "board": FeaturedMatch(3, is_live=True),
        "cards": FeaturedMatch(2, is_live=True),
    }
    assert choose_games(found) == ["board", "cards"]


def test_live_match_precedes_a_newer_finished_one() -> None:
    found = {
        "chart": FeaturedMatch(9, is_live=False),
        "board": FeaturedMatch(3, is_live=True),
        "cards": FeaturedMatch(8, is_live=False),
    }
    assert choose_games(found) == ["chart", "board"]


def test_fewer_than_two_games_are_all_shown() -> None:
    assert choose_games({}) == []
    assert choose_games({"chart": FeaturedMatch(1, is_live=False)}) == ["chart"]
