"""The context that the templates of boards, standings, checks and source views receive."""

from typing import Any

from django.template.loader import render_to_string

from arena.games.reversi.templatetags.reversi_board import OPENING, board_rows, board_text
from arena.matches.templatetags.moves import shown_turn
from arena.submissions.templatetags.checks import all_steps
from arena.tournaments.templatetags.standings import matrix, medal, ordered_rows
from arena.ui.templatetags.ui import numbered_lines


def row(entry: int, name: str) -> dict[str, Any]:
    return {"entry": entry, "name": name}


STANDINGS: dict[str, Any] = {
    "rows": [row(1, "first"), row(2, "second"), row(3, "third")],
    "order": [2, 1, 3],
    "head_to_head": {1: {2: {"points": 0.5, "played": 2}}, 2: {1: {"points": 1.5, "played": 2}}},
}


def test_board_starts_with_white_on_d4_and_e5() -> None:
    squares = {square.name: square.side for line in board_rows("") for square in line.squares}
    assert {name: side for name, side in squares.items() if side} == {"D4": "O", "E4": "X", "D5": "X", "E5": "O"}
    assert len(squares) == 64


def test_board_has_a_text_version_and_renders_without_scripts() -> None:
    assert "2" in board_text(OPENING)
    html = render_to_string("reversi/board.html", {"board": "X" + OPENING[1:], "last": "A1"})
    assert html.count('class="disc"') == 5
    assert 'is-last" data-square="A1"' in html


def test_query_selects_the_shown_turn() -> None:
    snapshot = {"turns": [{"number": 0}, {"number": 1}, {"number": 2}]}
    assert shown_turn(snapshot, "1") == {"number": 1}
    for at in (None, "", "3", "-1", "x", "²", "9" * 5000):
        assert shown_turn(snapshot, at) == {"number": 2}
    assert shown_turn({"turns": []}, "0") == {}


def test_rows_follow_the_order_of_the_standings() -> None:
    assert [shown["entry"] for shown in ordered_rows(STANDINGS)] == [2, 1, 3]


def test_rank_that_many_share_has_no_medal() -> None:
    ranks = (1, 1, 1, 4, 4, 4, 4, 8, None)
    rows = [{"rank": rank, "best_place": None, "worst_place": None} for rank in ranks]
    standings = {"rows": rows, "shows_ranges": False, "status": "running"}
    assert [medal(shown, standings) for shown in standings["rows"]] == ["1", "1", "1", *[""] * 4, "8", ""]


def test_matrix_compares_head_to_head_scores() -> None:
    second, first, third = matrix(STANDINGS)
    assert [cell.result for cell in second.cells] == ["", "ahead", ""]
    assert [cell.result for cell in first.cells] == ["behind", "", ""]
    assert first.cells[0].points == 0.5
    assert first.cells[1].is_self
    assert all(not cell.played for cell in third.cells)


def test_matrix_accepts_string_keys_from_json() -> None:
    scores = {str(a): {str(b): met for b, met in others.items()} for a, others in STANDINGS["head_to_head"].items()}
    assert matrix(STANDINGS | {"head_to_head": scores}) == matrix(STANDINGS)
    assert matrix(STANDINGS | {"head_to_head": {}}) == []


def test_remaining_check_steps_are_pending() -> None:
    steps = all_steps(
        [{"name": "syntax", "state": "passed", "message": "", "seconds": 0.1, "diagnosis": None}], "reversi"
    )
    assert [(step["name"], step["state"]) for step in steps] == [
        ("syntax", "passed"),
        ("import", "pending"),
        ("player", "pending"),
        ("first_move", "pending"),
        ("match", "pending"),
    ]


def test_source_lines_are_numbered_like_python() -> None:
    lines = numbered_lines("a = 1\r\nb = '\x0c\u2028'\n\nc = 2\n")
    assert [line.number for line in lines] == [1, 2, 3, 4]
    assert lines[1].text == "b = '\x0c\u2028'"
