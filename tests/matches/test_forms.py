"""The scrimmage form is parsed into a request, and its settings are validated."""

from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from pytest_django import Settings

from arena.games.registry import GAMES
from arena.games.sites import SITES
from arena.matches.forms import ScrimmageForm
from tests.scored.installed import install_scored_games

CHOICES = [(1, "mine"), (2, "other"), (3, "another")]
REST = "&side=first&game-numbers=2&game-rounds=10&move_seconds=5&pace=0.0"


def form(game: str, query: str, rest: str = REST) -> ScrimmageForm:
    return ScrimmageForm(QueryDict(query + rest), game=game, mine=CHOICES[:1], opponents=CHOICES)


def test_single_opponent_is_chosen_by_radio_button() -> None:
    filled = form("reversi", "mine=1&opponents=2")
    assert filled.is_valid(), filled.errors
    assert filled.scrimmage(mine_first=True).bots == (1, 2)


def test_table_accepts_several_opponents() -> None:
    filled = form("golden_point", "mine=1&opponents=2&opponents=3")
    assert filled.is_valid(), filled.errors
    assert filled.scrimmage(mine_first=True).bots == (1, 2, 3)


def test_table_that_could_last_half_a_day_is_refused() -> None:
    filled = form(
        "golden_point", "mine=1&opponents=2", "&side=first&game-numbers=2&game-rounds=1000&move_seconds=60&pace=0.0"
    )
    (error,) = filled.errors.as_data()["move_seconds"]
    assert error.code == "match_too_long"
    assert error.params
    assert (error.params["seconds"], error.params["setting"]) == (27.1, SITES["golden_point"].settings["rounds"].label)


@pytest.mark.parametrize("game", GAMES)
def test_form_defaults_are_valid(game: str) -> None:
    proposed = ScrimmageForm(game=game, mine=CHOICES[:1], opponents=CHOICES)
    values = {"mine": 1, "opponents": 2, "side": "first", "pace": 0.0}
    values["move_seconds"] = proposed.fields["move_seconds"].initial
    values |= {field.html_name: field.value() for field in proposed.game_settings}
    filled = form(game, urlencode(values), "")
    assert filled.is_valid(), filled.errors


def test_missing_opponent_is_reported() -> None:
    for game in ("reversi", "golden_point"):
        filled = form(game, "mine=1")
        assert filled.has_error("opponents", "required")


@pytest.mark.parametrize(("rounds", "fits"), [(1, True), (2000, True), (0, False), (2001, False)])
def test_settings_are_limited_by_the_rules(rounds: int, fits: bool) -> None:
    filled = form("golden_point", "mine=1&opponents=2", f"&game-numbers=2&game-rounds={rounds}&move_seconds=1&pace=0.0")
    assert filled.is_valid() is fits
    assert ("rounds" in filled.game_settings.errors) is not fits


def test_sides_use_names_from_the_game() -> None:
    labels = [str(label) for _, label in form("reversi", "").fields["side"].choices]  # type: ignore[attr-defined]
    assert labels == ["Random", "Black (moves first)", "White"]
    assert "side" not in form("golden_point", "").fields


def test_opponent_is_optional_if_a_bot_can_play_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    install_scored_games(monkeypatch)
    rest = "&game-throws=3&move_seconds=1&pace=0.0"
    for game, offered in (("dare", True), ("solitary", False)):
        filled = form(game, "mine=1", rest)
        assert filled.is_valid(), filled.errors
        assert filled.scrimmage(mine_first=True).bots == (1,)
        assert ("opponents" in filled.fields) is offered
    assert form("dare", "mine=1&opponents=2&opponents=3", rest).is_valid()


@pytest.mark.parametrize("game", GAMES)
def test_default_pace_leaves_time_for_default_match(game: str, settings: Settings) -> None:
    """At the default pace, quick bots finish a default match before its time limit ends it without a winner."""
    proposed = ScrimmageForm(game=game, mine=CHOICES[:1], opponents=CHOICES)
    rules = GAMES[game]
    chosen = rules.settings({name: field.initial for name, field in proposed.game_settings.fields.items()})
    assert rules.max_turns(chosen) * proposed.fields["pace"].initial < settings.SCRIMMAGE_SECONDS
