"""Checks of real bots in the real jail: the report states whether the bot passed, and if not, why."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from pytest_django import Settings

from arena.core.referee.check_report import CheckReport, CheckStepName, StepState
from arena.core.referee.faults import FaultKind
from arena.core.sandbox.errors import MissingCapability, SandboxFailure, SandboxUnavailable
from arena.core.sandbox.supervision.forkserver import ForkServer
from arena.core.sandbox.uploads.package import Package
from arena.submissions import jail, store, tasks
from arena.submissions.check_job import CheckJob
from arena.submissions.jailed_check import jailed_check
from tests.bots.message_texts import codes
from tests.bots.sdk.scripts import examples
from tests.platform.workers.workers import info, worker
from tests.submissions.uploads import WORKING

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module", autouse=True)
def server() -> Iterator[None]:
    yield
    jail.close_fork_server()


@pytest.fixture(autouse=True)
def limits(settings: Settings) -> None:
    settings.CHECK_MOVE_SECONDS = settings.CHECK_START_SECONDS = 1.0


def check(source: str, game: str = "reversi") -> CheckReport:
    package = Package.from_files({"main.py": source.encode()})
    store.store_package(package)
    return jailed_check(CheckJob(1, game, package.sha256), lambda step: None, lambda: False)


def failed_step(report: CheckReport) -> tuple[CheckStepName, str, str]:
    """Return the failed step, its message and its traceback."""
    assert not report.passed
    (step,) = (step for step in report.steps if step.state is StepState.FAILED)
    return step.name, step.message.text, step.diagnosis.traceback if step.diagnosis else ""


@pytest.mark.long
@pytest.mark.parametrize("game", ["reversi", "golden_point"])
def test_working_bot_passes(game: str) -> None:
    source = WORKING if game == "reversi" else "def get_move(state):\n    print('hello')\n    return [7, 8]\n"
    report = check(source, game)
    assert report.passed, report.steps
    assert report.record is not None
    assert (b"hello" in report.log) == (game == "golden_point")


@pytest.mark.long
@pytest.mark.parametrize(
    ("source", "game", "recognized_as"),
    [
        (examples.GOLDEN, "golden_point", "bot.golden_point.golden_lines"),
        (examples.BOTZONE_LONG, "reversi", "bot.reversi.botzone"),
        (examples.CODINGAME, "reversi", "bot.reversi.codingame"),
    ],
    ids=["golden point", "Botzone", "CodinGame"],
)
def test_script_from_another_site_passes(source: str, game: str, recognized_as: str) -> None:
    report = check(source, game)
    assert report.passed, report.steps
    assert report.steps[2].message.code == recognized_as
    assert report.log


def test_script_with_a_main_loop_is_timed_per_turn() -> None:
    slow = examples.CODINGAME.replace("    print(actions", "    while turn == 3: pass\n    print(actions")
    diagnosis = check(slow).steps[-1].diagnosis
    assert diagnosis is not None
    assert (diagnosis.kind, diagnosis.turn, diagnosis.source_line) == (
        FaultKind.TIMEOUT,
        5,
        "while turn == 3: pass",
    )
    assert "timeout.answer" in codes(diagnosis.message)


BAD_BOTS = {
    "not Python": ("def get_move(:\n", CheckStepName.SYNTAX, "main.py"),
    "an import of what is not there": ("import torch\n", CheckStepName.IMPORT, "torch"),
    "a player that is not there": ("x = 1\n", CheckStepName.PLAYER, ""),
    "a constructor that fails": (
        "class AIPlayer:\n    def __init__(self, color):\n        self.x = 1 / 0\n    def get_move(self, board): ...\n",
        CheckStepName.PLAYER,
        "division",
    ),
    "a crash": ("def get_move(board):\n    return [][3]\n", CheckStepName.FIRST_MOVE, "IndexError"),
    "an illegal move": ("def get_move(board):\n    return 'A1'\n", CheckStepName.FIRST_MOVE, ""),
    "an endless move": ("def get_move(board):\n    while True: pass\n", CheckStepName.FIRST_MOVE, ""),
    "an exit": ("import sys\ndef get_move(board):\n    sys.exit(3)\n", CheckStepName.FIRST_MOVE, ""),
}


@pytest.mark.parametrize("kind", BAD_BOTS)
def test_failing_bot_gets_a_reason(kind: str) -> None:
    source, expected, word = BAD_BOTS[kind]
    step, message, traceback = failed_step(check(source))
    assert step == expected
    assert message
    assert word in message + traceback


def test_endless_first_move_is_reported_within_seconds_with_its_line(settings: Settings) -> None:
    settings.CHECK_FIRST_MOVE_SECONDS = 0.5
    settings.CHECK_MOVE_SECONDS = 2.0
    report = check("def get_move(board):\n    import time\n    while True: time.sleep(0.01)\n")
    assert [(step.name.value, step.state.value) for step in report.steps[3:5]] == [
        ("first_move", "slow"),
        ("slow_move", "failed"),
    ]
    slow, failed = (step.message for step in report.steps[3:5])
    assert "check.first_move.slow" in codes(slow)
    assert "timeout.answer" in codes(failed)
    for message in (slow, failed):
        assert "line 3 of main.py" in message.text
    assert report.steps[4].diagnosis is not None
    assert report.steps[4].diagnosis.moment.spent.charged > 2  # consistent with the message


def test_slow_bot_passes_with_a_separate_step(settings: Settings) -> None:
    settings.CHECK_FIRST_MOVE_SECONDS = 0.3
    settings.CHECK_MATCH_SECONDS = 0.5
    settings.CHECK_MOVE_SECONDS = 5.0
    report = check("import time\n" + WORKING.replace("    return", "    time.sleep(0.8)\n    return"))
    assert report.passed, report.steps
    assert [step.state.value for step in report.steps[3:]] == ["slow", "passed", "passed"]


def test_endless_import_times_out_and_shows_its_line() -> None:
    report = check("x = 0\nwhile True:\n    x += 1\n")
    step, message, _ = failed_step(report)
    assert step == CheckStepName.IMPORT
    assert "1 s" in message
    diagnosis = report.steps[1].diagnosis
    assert diagnosis is not None
    assert diagnosis.line in {2, 3}


@pytest.mark.parametrize("text", ["'x' * 50_000_000", "'é<b>' * 20_000_000"])
def test_huge_traceback_is_truncated(text: str) -> None:
    step, message, traceback = failed_step(check(f"def get_move(board):\n    raise ValueError({text})\n"))
    assert step == CheckStepName.FIRST_MOVE
    assert message.startswith("ValueError")
    assert 'main.py", line 2' in traceback
    assert len(message) + len(traceback) < 100_000


@pytest.mark.long
def test_dead_fork_server_is_restarted() -> None:
    first = jail.fork_server()
    assert jail.fork_server() is first
    process = first._process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert jail.fork_server() is not first
    assert check(WORKING).passed


def test_fork_server_is_not_shared_across_forks() -> None:
    parent = jail.fork_server()
    child = os.fork()
    if child == 0:
        os._exit(0 if jail._started is not None and not parent.alive else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert jail.fork_server() is parent


@pytest.mark.long
def test_leaky_jail_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from arena.core.sandbox import self_test

    jail.close_fork_server()
    monkeypatch.setattr(self_test, "run_self_test", lambda server: [self_test.Escape("network", "it connected")])
    with pytest.raises(SandboxFailure, match="it connected"):
        jail.fork_server()
    assert jail._started is None


@pytest.mark.django_db
def test_worker_without_sandbox_logs_once_and_claims_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    lacking = [MissingCapability("user_namespaces", "allow them")]
    monkeypatch.setattr(ForkServer, "start", Mock(side_effect=SandboxUnavailable(lacking)))
    jail.close_fork_server()
    own = worker(info(host=socket.gethostname(), pid=os.getppid()))
    for number in range(3):
        tasks.check(number)  # nothing to claim: there are no such submissions
    (warning,) = caplog.messages
    assert "submission 0 keeps waiting" in warning
    assert "allow them" in warning
    own.refresh_from_db()
    assert "allow them" in own.refused


@pytest.mark.long
def test_check_leaves_no_files_behind(settings: Settings, tmp_path: Path) -> None:
    settings.SCRATCH_DIR = tmp_path / "scratch"
    check(WORKING)
    assert list(settings.SCRATCH_DIR.iterdir()) == []
