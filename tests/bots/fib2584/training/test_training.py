"""Optimistic initial values make learning 2584 faster, and the command-line programs work."""

from __future__ import annotations

import io
import sys

import pytest

from arena.games.fib2584.values import start_value
from bots.cli.commands import main
from bots.fib2584.terminal import TERMINAL
from bots.fib2584.training.evaluation import measure_bot
from bots.fib2584.training.positions import Positions, number_positions
from bots.fib2584.training.temporal_difference import Learner, Plan


@pytest.fixture(scope="module")
def positions() -> Positions:
    return number_positions()


@pytest.mark.long
def test_optimistic_initial_values_learn_faster_than_zeros(positions: Positions) -> None:
    zero, optimistic = (list(Learner(positions, Plan(40_000, first)).run(4)) for first in (0.0, 400.0))
    assert optimistic[-1].mean_score > 2 * zero[-1].mean_score
    assert optimistic[-1].mean_error < optimistic[0].mean_error / 2
    assert [one.games >= 10_000 * place for place, one in enumerate(optimistic, start=1)] == [True] * 4


@pytest.mark.long
def test_training_reports_both_learners_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "fib2584", "--games", "2000", "--reports", "2"]) == 0
    head, names, *rows = capsys.readouterr().out.splitlines()
    assert "from zero" in head
    assert names.split() == ["score", "error", "score", "error"]
    assert [len(row.split()) for row in rows] == [5, 5]


@pytest.mark.long
def test_solve_command_reads_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("b 2 2 0 0 0 0\nnonsense\na 10 0 0 0 0 1\n"))
    assert main(["solve", "fib2584"]) == 0
    value, wrong, impossible = capsys.readouterr().out.splitlines()
    assert float(value.split()[1]) == pytest.approx(1422.339233, abs=1e-3)
    assert wrong.startswith("? ")
    assert impossible == "= -1"


@pytest.mark.long
def test_evaluation_of_the_exact_bot_has_no_luck_left() -> None:
    result = measure_bot("exact", matches=2, games=2, seed=1)
    assert result.adjusted == (start_value(),) * 2
    assert result.raw[0] != result.raw[1]


def test_evaluation_prints_one_line_per_bot(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "fib2584", "greedy", "random_direction", "--matches", "3", "--games", "2"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()][1:] == ["greedy", "random_direction"]
    with pytest.raises(SystemExit):
        main(["evaluate", "fib2584", "nobody"])


def test_rendered_turn_shows_the_regret_of_the_move() -> None:
    view = {
        "game": 1,
        "games": 2,
        "boards": ["c20000", "000011"],
        "scores": [3, 0],
        "adjusted": [1400.25, 1425.82],
        "regrets": [25.57, None],
    }
    moves = [{"seat": 0, "move": 1, "refused": 1, "fault": None}]
    drawn = TERMINAL.draw({"number": 7, "moves": moves, "view": view}, ["one", "two"])
    assert "one  right (illegal answers before: 1), gives 25.57 away  score 3, luck-adjusted 1400.2" in drawn
    assert "two  score 0" in drawn
    assert "233   2   ." in drawn


def test_same_seed_gives_the_same_measurement() -> None:
    assert measure_bot("random_direction", 2, 1, 7) == measure_bot("random_direction", 2, 1, 7)
