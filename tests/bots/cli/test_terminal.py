"""Turns are displayed as text, with rejected answers and faults."""

from __future__ import annotations

from arena.games.base import Audience, Json
from arena.games.registry import GAMES
from bots.cli.terminal import draw_moves, draw_turn

NAMES = ["mine", "other"]


def move(seat: int, played: Json, fault: str | None = None, refused: int = 0) -> dict[str, Json]:
    return {"seat": seat, "move": played, "seconds": 0.25, "refused": refused, "fault": fault}


def reversi(moves: str) -> dict[str, Json]:
    rules = GAMES["reversi"]
    return rules.view(rules.initial(rules.settings({"opening": moves}), 2, None), Audience.EVERYBODY)  # type: ignore[arg-type]


def test_board_shows_the_last_move_and_flipped_discs() -> None:
    shown = draw_turn("reversi", {"number": 1, "moves": [move(0, "D3")], "view": reversi("D3")}, NAMES).splitlines()
    assert shown[0] == "  1.  X mine  D3  0.250 s"
    assert shown[1] == "      X 4  O 1  O to move"
    assert shown[2] == "    A  B  C  D  E  F  G  H"
    assert shown[5] == " 3  .  .  . [X] .  .  .  ."
    assert shown[6] == " 4  .  .  .  x  X  .  .  ."
    assert shown[7] == " 5  .  .  .  X  O  .  .  ."


def test_rejected_answers_and_faults_are_shown() -> None:
    turn = {"number": 2, "moves": [move(1, None, "illegal_move", 2)], "view": reversi("")}
    shown = draw_turn("reversi", turn, NAMES)
    assert "O other  faults: illegal_move (illegal answers before: 2)" in shown


def test_round_is_shown_on_one_line() -> None:
    view = {
        "round": 3, "rounds": 9, "golden": 17.25, "numbers": [[15.0, 17.1], [90.0]], "gains": [2, -2],
        "scores": [6, -6], "nearest": [0], "farthest": [1], "out": [],
    }  # fmt: skip
    turn = {"number": 3, "moves": [move(0, [15.0, 17.1]), move(1, [90.0])], "view": view}
    assert (
        draw_turn("golden_point", turn, NAMES)
        == "   3  golden  17.2500  mine* 15.00 17.10 +2 (6) | other! 90.00 -2 (-6)"
    )
    out = {**turn, "moves": [move(0, [15.0]), move(1, None, "timeout")], "view": {**view, "out": [1], "farthest": []}}
    assert draw_turn("golden_point", out, NAMES).endswith("+2 (6) | other faults: timeout")


def test_large_table_shows_winner_loser_and_leader() -> None:
    names = [f"bot {seat}" for seat in range(200)]
    view = {
        "round": 1, "rounds": 9, "golden": 17.25, "numbers": [[15.0]] * 200, "gains": [0] * 200,
        "scores": [0] * 199 + [7], "nearest": [5], "farthest": [9], "out": [],
    }  # fmt: skip
    shown = draw_turn("golden_point", {"number": 1, "moves": [move(0, [15.0])], "view": view}, names)
    assert [one.rpartition("bot ")[2].split()[0] for one in shown.split(" | ")] == ["5*", "9!", "199"]


def test_game_without_a_drawing_shows_its_moves() -> None:
    turn = {"number": 4, "moves": [move(0, "left"), move(1, None, "crash")], "view": {}}
    assert draw_moves(turn, NAMES) == "   4  mine left | other crash"
