"""The result of a match is in the second person for its players and the owners of its bots, in the third for others."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from arena.core.referee.events import outcome_json
from arena.matches.templatetags.results import match_result

ME = {"seat": 0, "is": "person"}
MY_BOT = {"seat": 0, "is": "bot"}
WON = "Your bot won with 61 points, first of 3"


def reversi(
    counts: tuple[int, int], termination: str = "completed", *, winner: int | None = None, reader: Any = None
) -> dict[str, Any]:
    """Return the snapshot of a finished Reversi match; ``winner``: the winning seat if ``counts`` does not decide."""
    if winner is None and counts[0] != counts[1]:
        winner = int(counts[1] > counts[0])
    ranks = [1, 1] if winner is None else [1 + winner, 2 - winner]
    faults = [None if rank == 1 or termination != "forfeit" else "timeout" for rank in ranks]
    return {
        "match": {"game": "reversi"},
        "seats": [
            {"index": index, "name": name, "fault": fault, "color": color}
            for index, (name, fault, color) in enumerate(zip(("", "Corners"), faults, "XO", strict=True))
        ],
        "turns": [{"view": {"counts": {"X": counts[0], "O": counts[1]}}}],
        "outcome": outcome_json([0.0, 0.0], ranks, termination),
        "reader": reader,
    }


def table(
    points: list[float],
    ranks: list[int],
    reader: Any = None,
    game: str = "golden_point",
    termination: str = "completed",
) -> dict[str, Any]:
    seats = [{"index": seat, "name": f"bot {seat}", "fault": None, "color": None} for seat in range(len(points))]
    outcome = outcome_json(points, ranks, termination)
    return {"match": {"game": game}, "seats": seats, "turns": [], "outcome": outcome, "reader": reader}


def set_fault(snapshot: dict[str, Any], fault: str = "resigned") -> dict[str, Any]:
    """Give the first seat in a snapshot a fault, and return the snapshot."""
    snapshot["seats"][0]["fault"] = fault
    return snapshot


@pytest.mark.parametrize(
    ("snapshot", "sentence"),
    [
        (reversi((13, 51)), "Corners wins 51 to 13"),
        (reversi((13, 51), reader=ME), "You lost 13 to 51"),
        (reversi((51, 13), reader=ME), "You won 51 to 13"),
        (reversi((32, 32), reader=ME), "You drew 32 to 32"),
        (reversi((32, 32)), "A draw, 32 to 32"),
        (reversi((13, 51), reader=MY_BOT), "Your bot lost 13 to 51"),
        (reversi((13, 51), reader={"seat": 1, "is": "bot"}), "Your bot won 51 to 13"),
        (reversi((32, 32), reader=MY_BOT), "Your bot drew 32 to 32"),
        (reversi((40, 4), "forfeit", winner=1, reader=ME), "You lost by forfeit: Out of time"),
        (reversi((4, 40), "forfeit", winner=0, reader=MY_BOT), "Your bot won by forfeit. Corners: Out of time"),
        (reversi((40, 4), "resignation", winner=1, reader=ME), "You lost: you resigned"),
        (reversi((4, 40), "resignation", winner=1), "Corners wins: Guest resigned"),
        (table([40, 61, 3], [2, 1, 3]), "bot 1 wins with 61 points"),
        (table([61, 61, 3], [1, 1, 3]), "Shared first place with 61 points: bot 0, bot 1"),
        (table([40, 61, 3], [2, 1, 3], MY_BOT), "Your bot finished 2nd of 3 with 40 points"),
        (table([61, 40, 3], [1, 2, 3], MY_BOT), "Your bot won with 61 points, first of 3"),
        (table([61, 61, 3], [1, 1, 3], MY_BOT), "Your bot tied for 1st of 3 with 61 points"),
        (table([7], [1]), "bot 0 scored 7 points"),
        (table([7], [1], MY_BOT), "Your bot scored 7 points"),
        (table([7], [1], ME), "You scored 7 points"),
        (table([40, 61, 3], [2, 1, 3], ME), "You finished 2nd of 3 with 40 points"),
        (table([61, 40, 3], [1, 2, 3], ME), "You won with 61 points, first of 3"),
        (table([61, 61, 3], [1, 1, 3], ME), "You tied for 1st of 3 with 61 points"),
        (set_fault(table([5, 61, 3], [3, 1, 2], ME)), "You resigned with 5 points"),
        (table([1425.817561], [1], ME, "fib2584"), "Luck-adjusted score: 1425.8"),
        (table([-0.04], [1], None, "fib2584"), "Luck-adjusted score: 0.0"),
        (table([-12.04], [1], None, "fib2584"), "Luck-adjusted score: −12.0"),
        (set_fault(table([81.26], [1], ME, "fib2584")), "You resigned. Luck-adjusted score: 81.3"),
        (set_fault(table([81.26], [1], None, "fib2584")), "Luck-adjusted score: 81.3. Resigned"),
        (set_fault(table([81.26], [1], ME, "fib2584"), "timeout"), "Luck-adjusted score: 81.3. Out of time"),
        (set_fault(table([7], [1], MY_BOT), "illegal_move"), "Your bot scored 7 points. Illegal move"),
        (set_fault(table([5, 61, 3], [3, 1, 2]), "crash"), "bot 1 wins with 61 points. bot 0: Crashed"),
        (set_fault(table([5, 61, 3], [3, 1, 2], {"seat": 1, "is": "bot"}), "crash"), WON),
        (
            set_fault(table([5, 61, 3], [3, 1, 2], MY_BOT), "timeout"),
            "Your bot finished 3rd of 3 with 5 points. Out of time",
        ),
        (table([1425.817561, 117.8], [1, 2], None, "fib2584"), "bot 0 wins 1425.8 to 117.8"),
        (table([1, 2, 3], [3, 2, 1], ME, "fib2584"), "You finished 3rd of 3 with 1 point"),
        (table([0.0], [1], ME, "fib2584", "time_limit"), "No winner: the match reached its time limit"),
    ],
)
def test_result_is_worded_in_english(snapshot: dict[str, Any], sentence: str) -> None:
    assert match_result(snapshot) == sentence


def test_unfinished_match_has_no_result() -> None:
    assert match_result({**reversi((2, 2)), "outcome": None}) == ""


@pytest.mark.parametrize(("reader", "sentence"), [(ME, "你以 13 比 51 告负"), (MY_BOT, "你的机器人以 13 比 51 告负")])
def test_result_is_worded_in_chinese(reader: Any, sentence: str) -> None:
    with translation.override("zh-hans"):
        assert match_result(reversi((13, 51), reader=reader)) == sentence


@pytest.mark.parametrize("reader", [None, ME, MY_BOT])
def test_match_that_reached_its_time_limit_has_no_winner(reader: Any) -> None:
    expected = "No winner: the match reached its time limit"
    assert (
        match_result({**reversi((40, 20), reader=reader), "outcome": outcome_json([0, 0], [1, 1], "time_limit")})
        == expected
    )
    three = table([0, 0, 0], [1, 1, 3], reader and MY_BOT)
    assert match_result({**three, "outcome": outcome_json([0, 0, 0], [1, 1, 3], "time_limit")}) == expected
