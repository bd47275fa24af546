"""The board passed to bots behaves like the course's board, including the order of its results."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from bots.reversi.sdk.board import Board

POSITIONS = json.loads((Path(__file__).parents[3] / "data" / "reversi_course_positions.json").read_text())


def board_of(cells: str) -> Board:
    board = Board()
    board._board = [list(cells[start : start + 8]) for start in range(0, 64, 8)]
    return board


def cells_of(board: Board) -> str:
    return "".join("".join(row) for row in board._board)


@pytest.mark.parametrize("position", POSITIONS, ids=range(len(POSITIONS)))
def test_course_positions_give_equal_results(position: dict[str, Any]) -> None:
    board, color = board_of(position["board"]), position["color"]
    assert list(board.get_legal_actions(color)) == position["legal_in_order"]
    assert list(board.get_winner()) == position["winner"]
    assert {key: board.count(key) for key in "XO."} == position["count"]
    for move, flips in position["flips_in_order"].items():
        assert board._can_fliped(move, color) == flips
        assert board._move(board.board_num(move) or "", color) == flips
        assert board.count(color) == position["count"][color] + len(flips) + 1
        board.backpropagation(move, flips, color)
        assert cells_of(board) == position["board"]
    for square in {board.num_board((i // 8, i % 8)) for i in range(64)} - set(position["legal_in_order"]):
        assert square is not None
        assert board._move(square, color) is False
    assert cells_of(board) == position["board"]


def test_initial_position_is_correct() -> None:
    board = Board()
    assert cells_of(board) == "." * 27 + "OX" + "." * 6 + "XO" + "." * 27
    assert board[3][4] == "X"
    assert board.empty == "."


def test_legal_action_generator_survives_playing_and_undoing() -> None:
    board = Board()
    actions = board.get_legal_actions("X")
    seen = []
    assert next(actions) == "D3"
    for action in board.get_legal_actions("X"):
        flipped = board._move(action, "X")
        assert isinstance(flipped, list)
        board.backpropagation(board.board_num(action) or "", [board.board_num(f) or "" for f in flipped], "X")
        seen.append(action)
    assert seen == ["D3", "C4", "F5", "E6"]


@pytest.mark.parametrize("action", ["I1", "A9", "", "D33", (-1, 3), (8, 8), (3, 3), "E4"])
def test_impossible_moves_change_nothing(action: Any) -> None:
    board = Board()
    assert board._move(action, "X") is False
    assert cells_of(board) == cells_of(Board())


def test_squares_convert_between_names_and_numbers() -> None:
    board = Board()
    assert board.board_num("A1") == (0, 0)
    assert board.board_num("h8") == (7, 7)
    assert [board.board_num(text) for text in ("", "A", "A0", "I1", "A10", None)] == [None] * 6
    assert board.num_board((2, 3)) == "D3"
    assert [board.num_board(pair) for pair in ((-1, 0), (0, 8))] == [None, None]
    assert [board.is_on_board(*pair) for pair in ((0, 0), (7, 7), (8, 0), (0, -1))] == [True, True, False, False]


def test_copy_is_independent() -> None:
    class Extended(Board):
        def __init__(self) -> None:
            super().__init__()
            self.notes = [1]

    board = Extended()
    twin = copy.deepcopy(board)
    twin._move("D3", "X")
    twin.notes.append(2)
    assert cells_of(board) == cells_of(Board())
    assert board.notes == [1]
    assert isinstance(twin, Extended)
    first, second = copy.deepcopy([board, board])
    assert first is second


def test_board_is_displayed_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    Board().display({"X": 1.5, "O": 0}, {"X": 2.5, "O": 0})
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "  A B C D E F G H"
    assert printed[4] == "4 . . . O X . . ."
    assert "black X: 2 / 1.5 / 2.5" in printed


def test_random_playouts_agree_with_the_arenas_rules() -> None:
    from arena.games.reversi.rules import ReversiGame, ReversiSettings, square_names

    game, rng = ReversiGame(), random.Random(7)
    for _ in range(10):
        state, board = game.initial(ReversiSettings(), 2, rng), Board()
        while game.outcome(state) is None:
            (seat,) = game.to_move(state)
            legal = sorted(board.get_legal_actions("XO"[seat]))
            assert legal == sorted(square_names(state.legal))
            move = rng.choice(legal)
            board._move(move, "XO"[seat])
            state = game.apply(state, {seat: move})
            assert game.shared(state)["board"] == cells_of(board)
