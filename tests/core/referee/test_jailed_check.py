"""The upload check in a real jail."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.core.referee.check import check_bot
from arena.core.referee.check_report import CONDITIONAL, CheckReport, CheckStep, CheckStepName, StepState
from arena.core.referee.clock import SystemClock
from arena.core.referee.replay import verify
from arena.core.sandbox.supervision.forkserver import ForkServer
from arena.games.registry import GAMES
from tests.core.message_codes import codes_of
from tests.core.referee.jailed import FIRST, MakeBot

pytestmark = pytest.mark.sandbox


def check(server: ForkServer, folder: Path, game: str, opponent: Path) -> tuple[CheckReport, list[CheckStep]]:
    steps: list[CheckStep] = []
    libraries = ("bitarray", "numpy", "treelib")
    report = check_bot(
        folder, GAMES[game], opponent, server, steps.append, SystemClock(), 0.5, libraries=libraries, start_seconds=1.0
    )
    return report, steps


def test_working_bot_passes_the_check(server: ForkServer, bot: MakeBot) -> None:
    report, steps = check(server, bot(FIRST + "print('hello')\n"), "reversi", bot(FIRST))
    assert report.passed
    assert report.log.startswith(b"hello")
    assert report.record is not None
    assert verify(report.record, GAMES) == []
    names = [name for name in CheckStepName if name not in CONDITIONAL]
    expected = [(name, state) for name in names for state in (StepState.RUNNING, StepState.PASSED)]
    assert [(step.name, step.state) for step in steps] == expected
    found = report.steps[2].message
    assert (found.code, found.parameters) == ("bot.player.class", {"name": "AIPlayer"})


def test_golden_point_bot_passes_the_check(server: ForkServer, bot: MakeBot) -> None:
    steady = bot("def get_move(state): return [20, 30][: state.numbers]")
    report, _ = check(server, steady, "golden_point", steady)
    assert report.passed
    assert report.record is not None
    assert len(report.record.turns) == 10


@pytest.mark.parametrize(
    ("main", "step", "code", "named"),
    [
        ("def f(:", CheckStepName.SYNTAX, "", "SyntaxError: "),
        ("import numpyy", CheckStepName.IMPORT, "start.not_installed.libraries", "bitarray, numpy, treelib"),
        ("\nwhile True:\n    pass", CheckStepName.IMPORT, "timeout.importing", "main.py"),
        ("import sys\nsys.exit()", CheckStepName.IMPORT, "bot.exit", ""),
        ("raise ValueError('x' * 10**7)", CheckStepName.IMPORT, "", "ValueError: "),
        ("class Brain: pass", CheckStepName.PLAYER, "bot.no_player.classes", "Brain"),
        (
            "class A:\n def get_move(s, b): 1\nclass B:\n def get_move(s, b): 1",
            CheckStepName.PLAYER,
            "bot.many_players",
            "A, B",
        ),
        ("class AIPlayer:\n def __init__(self, c): raise KeyError('no')", CheckStepName.PLAYER, "bot.no_get_move", ""),
        (
            "class AIPlayer:\n def __init__(self, c): raise KeyError('no')\n def get_move(self, b): pass",
            CheckStepName.PLAYER,
            "",
            "KeyError: ",
        ),
        ("def get_move(board):\n    return board.nothing", CheckStepName.FIRST_MOVE, "", "AttributeError: "),
    ],
)
def test_check_reports_the_problem(
    server: ForkServer, bot: MakeBot, main: str, step: CheckStepName, code: str, named: str
) -> None:
    """Python's own messages have no code."""
    report, steps = check(server, bot(main), "reversi", bot(FIRST))
    assert not report.passed
    failed = next(one for one in report.steps if one.state is StepState.FAILED)
    assert failed.name is step
    assert code in codes_of(failed.message)
    assert named in failed.message.text
    assert failed.diagnosis is not None
    assert len(failed.diagnosis.message.text) < 3_000
    assert {one.state for one in report.steps[report.steps.index(failed) + 1 :]} <= {StepState.SKIPPED}
    assert {one.name for one in steps} == set(CheckStepName) - CONDITIONAL
