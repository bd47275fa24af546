"""A bot is measured in pairs of matches with swapped colours, and its score rate has confidence intervals."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from bots.cli.errors import CommandError
from bots.reversi.training.evaluation import MeasuredMatch, compute_rate, main


def match(pair: int, points: float, fault: str = "") -> MeasuredMatch:
    return MeasuredMatch(pair, "F5D6", True, points, 0.0, 50, fault)


def test_rates_have_intervals_by_match_and_by_pair() -> None:
    found = compute_rate(
        "a", "b", [match(1, 1), match(1, 0), match(2, 1), match(2, 1, "timeout"), match(3, 0.5), match(3, 1)]
    )
    assert (found.won, found.drawn, found.lost, found.matches, found.faults) == (4, 1, 1, 6, 1)
    assert found.rate == 4.5 / 6
    assert (found.pairs, found.pentanomial) == (3, (0, 0, 1, 1, 1))
    assert found.low < found.rate < found.high
    half = 1.959964 * 0.25 / math.sqrt(3)  # the means of the pairs are 0.5, 0.75 and 1
    assert (found.pentanomial_low, found.pentanomial_high) == pytest.approx((0.75 - half, 1.0))


@pytest.mark.long
def test_shipped_bots_play_matches_in_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "found.json"
    measured = ["house:random_move", "--player", "house:most_discs", "--pairs", "2", "--first", "7"]
    main([*measured, "--processes", "2", "--json", "--save", str(saved)])
    (rate,) = json.loads(capsys.readouterr().out)
    assert (rate["player"], rate["opponent"], rate["matches"], rate["faults"]) == (
        "house:most_discs",
        "house:random_move",
        4,
        0,
    )
    found = json.loads(saved.read_text())
    (matches,) = found["matches"]
    assert [(one["pair"], one["black"]) for one in matches] == [(7, True), (7, False), (8, True), (8, False)]
    assert matches[0]["opening"] == matches[1]["opening"] != matches[2]["opening"]


def test_pairs_not_finished_in_time_are_not_counted(capsys: pytest.CaptureFixture[str]) -> None:
    main(["house:random_move", "--player", "house:most_discs", "--pairs", "2", "--minutes", "0.0001", "--json"])
    assert json.loads(capsys.readouterr().out) == []


@pytest.mark.parametrize("wrong", [["--pairs", "0"], ["--processes", "0"], ["--seconds", "2"]])
def test_invalid_arguments_are_rejected(wrong: list[str]) -> None:
    with pytest.raises(CommandError) as refused:
        main(wrong)
    assert refused.value.code == "invalid_plan"
