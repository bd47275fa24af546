"""Matches and positions are parsed from text notation and survive a round trip."""

from __future__ import annotations

from itertools import pairwise

import pytest

from arena.games.reversi.lines import USUAL_BOARD, Line, LineError, LineProblem, board_text, final_lead, start_position
from arena.games.reversi.notation import read, read_ggf, read_moves, write_board, write_ggf, write_moves

SHORTEST = ("E6", "F4", "E3", "F6", "G5", "D6", "E7", "F5", "C5")
# A match in which both sides have to pass.
PASSING = (
    "F5F4E3D2E2D6F3G4D3E6D1F2C4C1B1C2G1E1F1C3C5B3A3C6B4A5B5G2H4A6H1G3G5H5H2A4A7H3H6G6G7H7H8G8F6F7F8A2E7E8B2A1B6D7D8C7C8"
)
GGF = (
    "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[one]PW[other]RB[2197.01]TI[05:00//02:00]TY[8]RE[+0.000]"
    "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"
    "B[d3//0.01]W[c5/1.5/0.01]B[E6];)"
)


@pytest.mark.parametrize(
    "text",
    [
        "e6f4e3f6g5d6e7f5c5",
        "E6 F4 E3 F6 G5 D6 E7 F5 C5",
        "1. e6 f4 2. e3 f6\n3. g5 d6 4. e7 f5 5. c5",
        "1.e6 2.f4 3.e3 4.f6 5.g5 6.d6 7.e7 8.f5 9.c5",
        "e6, f4; e3: f6 | g5 - d6".replace(" - ", " ") + " e7 f5 c5.",
    ],
)
def test_move_lists_are_read_in_common_formats(text: str) -> None:
    assert read(text).moves == SHORTEST


def test_written_games_and_boards_read_back_equal() -> None:
    line = read_moves(PASSING)
    seats = [state.to_move for state in line.states()]
    assert any(before == after for before, after in pairwise(seats)), "nobody passes in it"
    written = write_ggf(line, "a [strange]\nname", "w", 64)
    assert "W[PA]" in written or "B[PA]" in written
    assert "PB[a strange name]" in written
    assert "RE[+64]" in written
    assert read(written) == line
    assert read(write_moves(line)) == line
    for state in line.states()[:-1]:
        side = "XO"[state.to_move or 0]
        assert read(write_board(board_text(state), side)) == Line(board_text(state), side)


def test_ggf_of_the_game_server_is_read() -> None:
    assert read_ggf(GGF) == Line(moves=("D3", "C5", "E6"))
    begun = GGF.replace("*]B[d3//0.01]W[c5/1.5/0.01]B[E6]", "O]W[D6]")
    assert read(begun).side == "O"
    assert not read(begun).is_standard_start


def test_boards_are_read_with_various_letters_and_line_breaks() -> None:
    rows = [USUAL_BOARD[at : at + 8] for at in range(0, 64, 8)]
    for text in ("\n".join(rows), USUAL_BOARD.replace(".", "-").replace("X", "*"), USUAL_BOARD.lower()):
        assert read(text, "O") == Line(USUAL_BOARD, "O")
        assert read(text + " X") == Line()


def test_side_without_legal_moves_passes() -> None:
    board = "XO" + "." * 62
    assert read(board, "O").side == "X"
    assert start_position(board, "O").passed == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("  ", LineProblem.NOTHING),
        ("f5" * 20_000, LineProblem.TOO_LONG),
        ("f5 hello", LineProblem.UNREADABLE),
        ("f5i9", LineProblem.UNREADABLE),
        ("f5f5", LineProblem.ILLEGAL),
        ("a1", LineProblem.ILLEGAL),
        ("".join(SHORTEST) + "a1", LineProblem.MATCH_IS_OVER),
        ("f5 pass d6", LineProblem.NO_PASS),
        (USUAL_BOARD, LineProblem.NO_SIDE),
        (USUAL_BOARD[:-1], LineProblem.NOT_A_BOARD),
        (GGF.replace("---O*---", "---OQ---"), LineProblem.STRANGE_CELL),
        (GGF.replace("- *]", "- -]"), LineProblem.NO_SIDE),
        ("." * 64 + "X", LineProblem.NOBODY_MOVES),
        ("X" * 64 + "O", LineProblem.NOBODY_MOVES),
        ("X" * 40, LineProblem.NOT_A_BOARD),
        ("(;GM[Othello]B[F5];)", LineProblem.NO_GGF),
        (GGF.replace("BO[8", "BO[10"), LineProblem.OTHER_BOARD),
        (GGF.replace("Othello", "Amazons"), LineProblem.OTHER_GAME),
        (GGF + GGF, LineProblem.SEVERAL),
        (GGF.replace("W[c5", "B[c5"), LineProblem.WRONG_SIDE),
        (GGF.replace("W[c5/1.5/0.01]", "W[PA]"), LineProblem.NO_PASS),
    ],
)
def test_invalid_game_is_rejected_with_the_reason(text: str, problem: LineProblem) -> None:
    with pytest.raises(LineError) as refused:
        read(text)
    assert refused.value.problem is problem
    assert "%(" not in str(refused.value)


def test_lead_counts_empty_squares_for_the_winner() -> None:
    assert final_lead(Line(moves=SHORTEST).states()[-1]) == 64
    with pytest.raises(ValueError, match="not over"):
        final_lead(Line().states()[-1])


BOARD_OF_GGF = "-" * 27 + "O*" + "-" * 6 + "*O" + "-" * 27


@pytest.mark.parametrize(("cells", "squares"), [(BOARD_OF_GGF[:-1], 63), (BOARD_OF_GGF + "-", 65)])
def test_ggf_board_with_wrong_number_of_squares_is_rejected(cells: str, squares: int) -> None:
    """The side to move, which follows the squares, is not counted as a square."""
    with pytest.raises(LineError) as refused:
        read(f"(;GM[Othello]PC[NBoard]BO[8 {cells} *]B[F5];)")
    assert (refused.value.problem, refused.value.details) == (LineProblem.NOT_A_BOARD, {"squares": squares})
