"""The match page's server-rendered table lists and labels the right moves."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from arena.games.bot_packages import package_folder
from arena.games.registry import PACKAGES
from arena.games.sites import SITES
from arena.games.templatetags.games import move_heading, move_label, move_text, moves_heading
from arena.matches.templatetags.moves import PER_PAGE, moves_table


def snapshot(seats: int, turns: int) -> dict[str, Any]:
    """Return a snapshot of ``turns`` turns, in which two seats alternate, or three or more all move each turn."""
    moved = [[number % 2] if seats == 2 else list(range(seats)) for number in range(turns)]
    return {
        "seats": [{"index": index} for index in range(seats)],
        "turns": [{"number": 0, "moves": []}]
        + [{"number": number + 1, "moves": [{"seat": seat} for seat in moved[number]]} for number in range(turns)],
    }


def listed_moves(shown: dict[str, Any], at: int, **query: str) -> list[tuple[int, int]]:
    table = moves_table(shown, query, shown["turns"][at])
    return [(line.turn, line.seat["index"]) for line in table.page]


def test_duel_lists_every_move_newest_first() -> None:
    assert listed_moves(snapshot(2, 3), 1) == [(3, 0), (2, 1), (1, 0)]
    assert listed_moves(snapshot(2, 3), 1, seat="1") == [(2, 1)]


def test_table_lists_current_turn_or_all_turns_of_one_seat() -> None:
    assert listed_moves(snapshot(3, 2), 1) == [(1, 0), (1, 1), (1, 2)]
    assert listed_moves(snapshot(3, 2), 0) == []
    assert listed_moves(snapshot(3, 2), 1, seat="2") == [(2, 2), (1, 2)]


def test_two_hundred_seats_and_four_hundred_rounds_are_paginated() -> None:
    large = snapshot(200, 400)
    assert len(listed_moves(large, 400)) == PER_PAGE
    assert listed_moves(large, 400, moves="4")[-1] == (400, 199)
    assert listed_moves(large, 400, seat="7", moves="8")[-1] == (1, 7)


@pytest.mark.parametrize("wrong", ["x", "-1", "9", "99999999", "²"])
def test_unknown_seat_or_page_is_ignored(wrong: str) -> None:
    assert listed_moves(snapshot(2, 1), 0, seat=wrong, moves=wrong) == [(1, 0)]


def test_table_is_empty_before_the_first_turn() -> None:
    table = moves_table({"seats": [{}, {}, {}], "turns": []}, {}, {})
    assert list(table.page) == []


@pytest.mark.parametrize(
    ("move", "text"), [("D3", "D3"), (None, "–"), ([20.5, 30.0], "20.5 · 30"), ([15.789473], "15.79")]
)
def test_moves_are_abbreviated(move: Any, text: str) -> None:
    assert move_text(move) == text


@pytest.mark.parametrize(
    ("game", "move", "text"),
    [
        ("fib2584", 0, "↑ up"),
        ("fib2584", 3, "← left"),
        ("fib2584", None, "–"),
        ("suit_pairs", "capture", "Capture"),
        ("suit_pairs", "10H", "10♥"),
        ("suit_pairs", None, "–"),
        ("reversi", "D3", "D3"),
        ("golden_point", [20.5, 30.0], "20.5 · 30"),
        ("a game of another site", 7, "7"),
    ],
)
def test_moves_use_the_wording_of_the_game(game: str, move: Any, text: str) -> None:
    assert move_label(game, move) == text


@pytest.mark.parametrize("game", SITES)
def test_script_and_server_label_moves_in_the_same_games(game: str) -> None:
    view = package_folder(PACKAGES[game].package) / "static" / game / "view.js"
    assert ("export function moveLabel(" in view.read_text()) == (SITES[game].move_label is not None)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("reversi", ("着法", "着法")),
        ("golden_point", ("报数", "报数")),
        ("fib2584", ("走法", "走法")),
        ("suit_pairs", ("行动", "行动")),
    ],
)
def test_chinese_headings_use_the_games_word_for_moves(game: str, words: tuple[str, str]) -> None:
    with translation.override("zh-hans"):
        assert (move_heading(game), moves_heading(game)) == words
    assert (move_heading(game), moves_heading(game)) == ("Move", "Moves")
