"""The result of a match is in the second person for its players and the owners of its bots, in the third for others."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

from arena.core.referee.events import outcome_json
from arena.games.localized_messages import FAULT_LABELS
from arena.games.sites import SITES
from arena.matches.results import MatchResult, result_of
from arena.matches.templatetags.results import RESULT_TEXTS, match_result

ME = {"seat": 0, "is": "person"}
MY_BOT = {"seat": 0, "is": "bot"}
SCORE_NAME = SITES["fib2584"].score_name


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
    ("snapshot", "code", "values"),
    [
        (reversi((13, 51)), "wins", {"winner": "Corners", "mine": "51", "theirs": "13"}),
        (reversi((13, 51), reader=ME), "you.lost", {"mine": "13", "theirs": "51"}),
        (reversi((51, 13), reader=ME), "you.won", {"mine": "51", "theirs": "13"}),
        (reversi((32, 32), reader=ME), "you.drew", {"mine": "32", "theirs": "32"}),
        (reversi((32, 32)), "draw", {"mine": "32", "theirs": "32"}),
        (reversi((13, 51), reader=MY_BOT), "your_bot.lost", {"mine": "13", "theirs": "51"}),
        (reversi((13, 51), reader={"seat": 1, "is": "bot"}), "your_bot.won", {"mine": "51", "theirs": "13"}),
        (reversi((32, 32), reader=MY_BOT), "your_bot.drew", {"mine": "32", "theirs": "32"}),
        (reversi((40, 4), "forfeit", winner=1, reader=ME), "you.lost_by_forfeit", {"why": "timeout"}),
        (
            reversi((4, 40), "forfeit", winner=0, reader=MY_BOT),
            "your_bot.won_by_forfeit",
            {"loser": "Corners", "why": "timeout"},
        ),
        (
            reversi((40, 4), "forfeit", winner=1),
            "wins_by_forfeit",
            {"winner": "Corners", "loser": "", "why": "timeout"},
        ),
        (reversi((40, 4), "resignation", winner=1, reader=ME), "you.lost_by_resignation", {}),
        (reversi((40, 4), "resignation", winner=1, reader=MY_BOT), "your_bot.lost_by_resignation", {}),
        (reversi((4, 40), "resignation", winner=0, reader=ME), "you.won_by_resignation", {"loser": "Corners"}),
        (reversi((4, 40), "resignation", winner=1), "wins_by_resignation", {"winner": "Corners", "loser": ""}),
        (table([40, 61, 3], [2, 1, 3]), "wins_with", {"name": "bot 1", "points": 61}),
        (table([61, 61, 3], [1, 1, 3]), "shared", {"names": ("bot 0", "bot 1"), "points": 61}),
        (table([40, 61, 3], [2, 1, 3], MY_BOT), "your_bot.finished", {"rank": 2, "seats": 3, "points": 40}),
        (table([61, 40, 3], [1, 2, 3], MY_BOT), "your_bot.won_with", {"seats": 3, "points": 61}),
        (table([61, 61, 3], [1, 1, 3], MY_BOT), "your_bot.tied", {"rank": 1, "seats": 3, "points": 61}),
        (table([7], [1]), "scored", {"name": "bot 0", "points": 7}),
        (table([7], [1], MY_BOT), "your_bot.scored", {"points": 7}),
        (table([7], [1], ME), "you.scored", {"points": 7}),
        (table([40, 61, 3], [2, 1, 3], ME), "you.finished", {"rank": 2, "seats": 3, "points": 40}),
        (table([61, 40, 3], [1, 2, 3], ME), "you.won_with", {"seats": 3, "points": 61}),
        (table([61, 61, 3], [1, 1, 3], ME), "you.tied", {"rank": 1, "seats": 3, "points": 61}),
        (set_fault(table([5, 61, 3], [3, 1, 2], ME)), "you.resigned", {"points": 5}),
        (table([1425.817561], [1], ME, "fib2584"), "score", {"name": SCORE_NAME, "score": "1425.8"}),
        (table([-0.04], [1], None, "fib2584"), "score", {"name": SCORE_NAME, "score": "0.0"}),
        (table([-12.04], [1], None, "fib2584"), "score", {"name": SCORE_NAME, "score": "−12.0"}),
        (
            set_fault(table([81.26], [1], ME, "fib2584")),
            "you.resigned_with_score",
            {"name": SCORE_NAME, "score": "81.3"},
        ),
        (
            table([1425.817561, 117.8], [1, 2], None, "fib2584"),
            "wins",
            {"winner": "bot 0", "mine": "1425.8", "theirs": "117.8"},
        ),
        (table([1, 2, 3], [3, 2, 1], ME, "fib2584"), "you.finished", {"rank": 3, "seats": 3, "points": 1}),
        (table([0.0], [1], ME, "fib2584", "time_limit"), "time_limit", {}),
    ],
)
def test_result_addresses_its_reader(snapshot: dict[str, Any], code: str, values: dict[str, Any]) -> None:
    assert result_of(snapshot) == MatchResult(code, values)


@pytest.mark.parametrize(
    ("snapshot", "code", "forfeits"),
    [
        (set_fault(table([81.26], [1], None, "fib2584")), "score", [("bot 0", "resigned")]),
        (set_fault(table([81.26], [1], ME, "fib2584"), "timeout"), "score", [("bot 0", "timeout")]),
        (set_fault(table([7], [1], MY_BOT), "illegal_move"), "your_bot.scored", [("bot 0", "illegal_move")]),
        (set_fault(table([5, 61, 3], [3, 1, 2]), "crash"), "wins_with", [("bot 0", "crash")]),
        (set_fault(table([5, 61, 3], [3, 1, 2], {"seat": 1, "is": "bot"}), "crash"), "your_bot.won_with", []),
        (set_fault(table([5, 61, 3], [3, 1, 2], MY_BOT), "timeout"), "your_bot.finished", [("bot 0", "timeout")]),
    ],
)
def test_reasons_of_forfeits_follow_the_result(
    snapshot: dict[str, Any], code: str, forfeits: list[tuple[str, str]]
) -> None:
    found = result_of(snapshot)
    assert found
    assert (found.code, list(found.forfeits)) == (code, forfeits)
    sentence = match_result(snapshot)
    for name, fault in forfeits:
        label = str(FAULT_LABELS[fault])
        assert sentence.endswith(label)
        assert (f"{name}: {label}" in sentence) is (len(snapshot["seats"]) > 1 and not snapshot["reader"])


def test_unfinished_match_has_no_result() -> None:
    unfinished = {**reversi((2, 2)), "outcome": None}
    assert result_of(unfinished) is None
    assert match_result(unfinished) == ""


def test_sentence_contains_localized_values() -> None:
    lost = RESULT_TEXTS["you.lost_by_forfeit"] % {"why": FAULT_LABELS["timeout"]}
    assert match_result(reversi((40, 4), "forfeit", winner=1, reader=ME)) == lost
    resigned = RESULT_TEXTS["wins_by_resignation"] % {"winner": "Corners", "loser": gettext("Guest")}
    assert match_result(reversi((4, 40), "resignation", winner=1)) == resigned
    score = RESULT_TEXTS["score"] % {"name": SCORE_NAME, "score": "81.3"}
    assert match_result(set_fault(table([81.26], [1], ME, "fib2584"))) == RESULT_TEXTS["you.resigned_with_score"] % {
        "result": score
    }
    for points, text in ((1, "1 point"), (-1, "−1 point"), (2, "2 points")):
        assert match_result(table([points], [1], ME)) == RESULT_TEXTS["you.scored"] % {"points": text}
    tied = RESULT_TEXTS["you.tied"] % {"rank": "1st", "seats": 3, "points": "61 points"}
    assert match_result(table([61, 61, 3], [1, 1, 3], ME)) == tied
    shared = RESULT_TEXTS["shared"] % {"names": "bot 0, bot 1", "points": "61 points"}
    assert match_result(table([61, 61, 3], [1, 1, 3])) == shared


def test_script_has_the_same_sentences() -> None:
    """The page's script and the server put a result with the same code into the same words."""
    script = (Path(settings.BASE_DIR) / "static/js/matches/results.js").read_text(encoding="utf-8")
    found = dict(re.findall(r'^    "?([\w.]+)"?: gettext\("([^"]+)"\),$', script, re.MULTILINE))
    # Only views of single games contain these.
    assert found == {
        code: str(text) for code, text in RESULT_TEXTS.items() if code not in ("score", "you.resigned_with_score")
    }


@pytest.mark.parametrize("reader", [ME, MY_BOT])
def test_result_is_translated(reader: Any) -> None:
    snapshot = reversi((13, 51), reader=reader)
    found = result_of(snapshot)
    assert found
    english = match_result(snapshot)
    with translation.override("zh-hans"):
        chinese = RESULT_TEXTS[found.code] % found.values
        assert match_result(snapshot) == chinese
    assert chinese != english


@pytest.mark.parametrize("reader", [None, ME, MY_BOT])
def test_match_that_reached_its_time_limit_has_no_winner(reader: Any) -> None:
    expected = MatchResult("time_limit")
    ended = {**reversi((40, 20), reader=reader), "outcome": outcome_json([0, 0], [1, 1], "time_limit")}
    assert result_of(ended) == expected
    assert match_result(ended) == RESULT_TEXTS["time_limit"]
    three = table([0, 0, 0], [1, 1, 3], reader and MY_BOT)
    assert result_of({**three, "outcome": outcome_json([0, 0, 0], [1, 1, 3], "time_limit")}) == expected
