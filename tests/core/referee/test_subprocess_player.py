"""Bots run as plain processes: their exits are classified, and their child processes end with them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.core.referee.clock import SystemClock
from arena.core.referee.faults import FaultKind, RefereeFailure
from arena.core.referee.play import MatchResult, play_match
from arena.core.referee.subprocess_player import MAX_LOG_BYTES, SubprocessPlayer
from arena.core.sandbox.jail.limits import JailLimits
from arena.games.bot_packages import harness_argument
from tests.core.referee.matches import reversi_spec

ROOT = Path(__file__).resolve().parents[3]
HARNESS = [sys.executable, str(ROOT / "bots" / "sdk" / "harness.py"), harness_argument("reversi")]
GOOD = "class AIPlayer:\n  def __init__(self, c): self.c = c\n  def get_move(self, board): return next("
GOOD += "board.get_legal_actions(self.c))\n"

Play = Callable[[str], MatchResult]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Return a function that plays a Reversi match between a bot with the given source, as black, and a working bot."""

    def against_good(source: str) -> MatchResult:
        players = []
        for name, text in (("black", source), ("white", GOOD)):
            folder = tmp_path / name
            folder.mkdir()
            (folder / "main.py").write_text(text, encoding="utf-8")
            players.append(SubprocessPlayer(HARNESS, folder))
        return play_match(reversi_spec(move_seconds=20.0), players, SystemClock(), lambda _: None, lambda: False)

    return against_good


def fault_kind(result: MatchResult) -> FaultKind | None:
    return result.diagnoses[0].kind if result.diagnoses[0] else None


def test_log_limit_is_the_same_as_in_the_jail() -> None:
    assert JailLimits().log_bytes == MAX_LOG_BYTES


def test_excessive_output_is_discarded_as_in_the_jail(play: Play) -> None:
    result = play(f"{GOOD}\nprint('x' * {2 * MAX_LOG_BYTES})\n")
    assert fault_kind(result) is None
    assert len(result.logs[0]) == MAX_LOG_BYTES


@pytest.mark.long
@pytest.mark.parametrize(
    ("source", "expected", "reason"),
    [
        ("import os\ndef get_move(board): os._exit(3)\n", FaultKind.EXIT, "code 3"),
        ("import os\ndef get_move(board): os.abort()\n", FaultKind.CRASH, "SIGABRT"),
        ("import os\ndef get_move(board): os.closerange(3, 99)\n", FaultKind.EXIT, "Bad file descriptor"),
    ],
)
def test_process_exits_are_classified(play: Play, source: str, expected: FaultKind, reason: str) -> None:
    result = play(source)
    diagnosis = result.diagnoses[0]
    assert diagnosis is not None
    assert (diagnosis.kind, reason in diagnosis.message.text + result.logs[0].decode()) == (expected, True)


def test_child_processes_of_a_bot_end_with_it(play: Play, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    source = "import os, time\ndef get_move(board):\n    child = os.fork()\n    if not child: time.sleep(600)\n"
    source += f"    open({str(pid_file)!r}, 'w').write(str(child))\n    return 'Q'\n"
    play(source)
    status = Path("/proc", pid_file.read_text(), "stat")
    # It was killed, and dies as soon as it gets a core.
    deadline = time.monotonic() + 60
    while status.exists() and status.read_text().rpartition(")")[2].split()[0] not in "ZX":
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_large_request_is_delivered(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("", encoding="utf-8")
    echo = "import sys\nn = int.from_bytes(sys.stdin.buffer.read(4), 'big')\ndata = sys.stdin.buffer.read(n)\n"
    echo += "sys.stdout.buffer.write((5).to_bytes(4, 'big') + str(len(data)).encode()[-5:].rjust(5))\n"
    player = SubprocessPlayer([sys.executable, "-c", echo], tmp_path)
    player.start()
    try:
        player.ask(b"x" * 250_000)
        assert SystemClock().wait([player], 10.0) == [player]
        assert player.receive() == b"50000"
    finally:
        player.close()


def test_unstartable_process_is_an_arena_failure(tmp_path: Path) -> None:
    player = SubprocessPlayer(["/nowhere/python"], tmp_path)
    with pytest.raises(RefereeFailure):
        player.start()
    player.close()
