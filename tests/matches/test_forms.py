"""The request for a scrimmage as its form reads it."""

from django.http import QueryDict

from arena.matches.forms import ScrimmageForm

CHOICES = [(1, "mine"), (2, "other"), (3, "another")]
REST = "&side=first&numbers=2&rounds=10&move_seconds=5&pace=0.0"


def form(game: str, query: str, rest: str = REST) -> ScrimmageForm:
    return ScrimmageForm(QueryDict(query + rest), game=game, mine=CHOICES[:1], opponents=CHOICES)


def test_one_opponent_is_chosen_by_a_radio_button() -> None:
    asked = form("reversi", "mine=1&opponents=2")
    assert asked.is_valid(), asked.errors
    assert asked.wish(mine_first=True).bots == (1, 2)


def test_a_table_takes_several_opponents() -> None:
    asked = form("golden_point", "mine=1&opponents=2&opponents=3")
    assert asked.is_valid(), asked.errors
    assert asked.wish(mine_first=True).bots == (1, 2, 3)


def test_a_table_that_a_slow_bot_could_hold_for_half_a_day_is_refused() -> None:
    asked = form("golden_point", "mine=1&opponents=2", "&side=first&numbers=2&rounds=1000&move_seconds=60&pace=0.0")
    assert "Allow at most 27.1 seconds a move. Or choose fewer rounds." in asked.errors["move_seconds"][0]


def test_without_an_opponent_the_form_says_so() -> None:
    for game in ("reversi", "golden_point"):
        asked = form(game, "mine=1")
        assert asked.errors["opponents"] == ["Choose at least one opponent."]
