"""Scheduled matches swap seats, and their openings are legal and depend only on the seed."""

from __future__ import annotations

from arena.games.registry import GAMES
from bots.cli.schedule import draw_opening, has_openings, schedule


def test_each_opening_is_played_with_both_colors() -> None:
    matches = list(schedule("reversi", 2, 6, 7, {}, 8))
    assert [match.number for match in matches] == [1, 2, 3, 4, 5, 6]
    assert [match.order for match in matches] == [(0, 1), (1, 0)] * 3
    assert [match.seed for match in matches] == [7, 7, 8, 8, 9, 9]
    openings = [match.settings["opening"] for match in matches]
    assert openings[::2] == openings[1::2]
    assert len(set(openings)) == 3


def test_openings_are_legal_and_depend_only_on_the_seed() -> None:
    for seed in range(200):
        drawn = draw_opening("reversi", seed, 8)
        assert len(drawn) == 16
        assert GAMES["reversi"].settings({"opening": drawn})
        assert drawn == draw_opening("reversi", seed, 8)
    assert len({draw_opening("reversi", seed, 8) for seed in range(200)}) > 120


def test_long_openings_leave_moves_to_play() -> None:
    for seed in range(20):
        GAMES["reversi"].settings({"opening": draw_opening("reversi", seed, 50)})


def test_chosen_opening_is_kept() -> None:
    matches = list(schedule("reversi", 2, 3, 0, {"opening": "F5"}, 8))
    assert [match.settings for match in matches] == [{"opening": "F5"}] * 3


def test_zero_opening_moves_give_the_standard_start() -> None:
    assert [match.settings for match in schedule("reversi", 2, 2, 0, {}, 0)] == [{}, {}]


def test_games_without_openings_only_swap_seats() -> None:
    assert not has_openings("golden_point")
    matches = list(schedule("golden_point", 3, 4, 5, {"rounds": 9}, 8))
    assert [match.order for match in matches] == [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1, 2)]
    assert [match.seed for match in matches] == [5, 5, 5, 6]
    assert all(match.settings == {"rounds": 9} for match in matches)


def test_no_match_is_repeated_if_seats_are_independent() -> None:
    found = list(schedule("fib2584", 2, 4, 7, {}, 0))
    assert [one.seed for one in found] == [7, 8, 9, 10]
    assert [one.order for one in found] == [(0, 1), (1, 0), (0, 1), (1, 0)]
