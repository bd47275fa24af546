"""Pages load each game's scripts, styles and templates, and tags format its seats, points and faults."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.template import Context, Template
from django.utils import translation
from pytest_django import Settings

from arena.core.referee.faults import FaultKind
from arena.games.context_processors import unbundled_styles
from arena.games.registry import GAMES
from arena.games.templatetags.games import (
    PLAIN_VIEW,
    game_part,
    points,
    seat_swatch,
    turn_count,
    turn_moment,
    turn_moments,
    view_name,
    within_turn,
)
from arena.games.templatetags.referee import fault_label


@pytest.fixture(autouse=True)
def unhashed_file_names(settings: Settings) -> None:
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


def bundle(root: Path, *styles: str) -> None:
    path = root / "build" / "static" / "bundle.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"imports": {}, "styles": styles}))


def test_styles_in_the_sites_stylesheet_are_not_loaded_again(tmp_path: Path, settings: Settings) -> None:
    settings.BUILD_DIR = tmp_path / "build"
    bundle(tmp_path, *(f"{game}/{game}.css" for game in GAMES))
    assert unbundled_styles() == []


def test_styles_of_an_unbundled_game_are_loaded(tmp_path: Path, settings: Settings) -> None:
    settings.BUILD_DIR = tmp_path / "build"
    bundle(tmp_path, *(f"{game}/{game}.css" for game in GAMES if game != "reversi"))
    assert unbundled_styles() == ["/static/reversi/reversi.css"]


def test_game_without_a_renderer_is_shown_generically() -> None:
    assert view_name("golden_point") == "golden_point/view.js"
    assert view_name("lanterns") == PLAIN_VIEW


@pytest.mark.parametrize("part", ["display", "side", "position"])
def test_missing_game_template_falls_back_to_the_generic_one(part: str) -> None:
    snapshot = {
        "match": {"id": 1, "game": "lanterns"},
        "seats": [{"index": 0, "name": "Ada's <bot>", "owner": "ada", "bot_url": "", "fault": None, "points": 2.5}],
    }
    view = {"lit": ["red", "<b>"]}
    context = Context({"names": game_part("lanterns", part), "snapshot": snapshot, "view": view, "views": [view]})
    drawn = Template("{% include names %}").render(context)
    assert "&lt;" in drawn
    assert "<b>" not in drawn
    assert ("2½" if part == "side" else "lit") in drawn


def test_seat_swatches_repeat_the_hues_as_outlines() -> None:
    swatches = [seat_swatch(index) for index in (0, 11, 12, 24)]
    assert ["hue-0 " in swatch or 'hue-0"' in swatch for swatch in swatches] == [True, False, True, True]
    assert ["is-hollow" in swatch for swatch in swatches] == [False, False, True, False]


@pytest.mark.parametrize("kind", FaultKind)
def test_every_fault_has_a_label(kind: FaultKind) -> None:
    assert fault_label(kind) != kind.value


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        *[(3.0, "3"), (0.5, "½"), (2.5, "2½"), (0, "0"), (None, "–"), (-20.0, "−20"), (-1.5, "−1.5")],
        *[(1425.817561, "1425.82"), (-39.0524, "−39.05"), (100, "100"), (1234567.891, "1,234,567.89"), (-0.001, "0")],
    ],
)
def test_points_have_no_unnecessary_decimals(value: float | None, shown: str) -> None:
    assert points(value) == shown


def test_matches_count_their_turns_in_the_words_of_the_game() -> None:
    """The wording is the subject, as in the next two tests."""
    assert [turn_count("reversi", n) for n in (1, 60)] == ["1 move", "60 moves"]
    assert [turn_count("golden_point", n) for n in (1, 400)] == ["1 round", "400 rounds"]
    assert [turn_count("suit_pairs", n) for n in (1, 160)] == ["1 decision", "160 decisions"]
    assert turn_count("removed_game", 2) == "2 turns"


@pytest.mark.parametrize(
    ("game", "once", "often", "start"),
    [
        ("reversi", "at move 25", "at moves 3, 5", "before the first move"),
        ("golden_point", "in round 25", "in rounds 3, 5", "before the first round"),
        ("suit_pairs", "at decision 25", "at decisions 3, 5", "before the first decision"),
        ("removed_game", "on turn 25", "on turns 3, 5", "before the first turn"),
    ],
)
def test_moment_of_a_fault_is_in_the_words_of_the_game(game: str, once: str, often: str, start: str) -> None:
    assert (turn_moment(game, 25), turn_moments(game, (3, 5)), turn_moment(game, 0)) == (once, often, start)


def test_limits_on_answers_are_in_the_words_of_the_game() -> None:
    games = ("reversi", "golden_point", "suit_pairs", "")
    assert [within_turn(game) for game in games] == ["for one move", "in one round", "for one decision", "for one move"]


def test_moments_of_a_board_game_are_moves_in_chinese() -> None:
    with translation.override("zh-hans"):
        assert (turn_moment("reversi", 25), turn_moments("reversi", (3, 5))) == ("第 25 手", "第 3、5 手")
