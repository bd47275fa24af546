"""The referee with real bots in the real jail."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.referee.check import check_bot
from arena.referee.check_report import CheckReport, CheckStep, CheckStepName, StepState
from arena.referee.clock import SystemClock
from arena.referee.diagnosis import printed
from arena.referee.events import MatchEvent, TurnPlayed
from arena.referee.faults import FaultKind, MatchStopped, RefereeFailure
from arena.referee.jailed_player import JailedPlayer, jail_limits
from arena.referee.play import MatchResult, play_match
from arena.referee.replay import verify
from arena.referee.spec import MatchSpec
from arena.sandbox.config import Mode, SandboxConfig
from arena.sandbox.forkserver import ForkServer
from arena.sandbox.limits import JailLimits
from tests.bots.scripts import examples
from tests.referee.games import golden_spec, reversi_spec
from tests.sandbox.configs import MODES, lacks
from tests.sandbox.pythons import python_for_everybody, readable_by_everybody

pytestmark = pytest.mark.sandbox

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = ROOT / "build" / "bot-libraries"
FIRST = """
class AIPlayer:
    def __init__(self, color):
        self.color = color
    def get_move(self, board):
        return next(board.get_legal_actions(self.color))
"""

MakeBot = Callable[[str], Path]


@pytest.fixture(scope="module", params=MODES)
def server(request: pytest.FixtureRequest) -> Iterator[ForkServer]:
    mode: Mode = request.param
    if reason := lacks(mode):
        pytest.skip(reason)
    config = SandboxConfig(libraries=(LIBRARIES,) if LIBRARIES.is_dir() else (), harness=ROOT, mode=mode)
    if mode is Mode.LANDLOCK:
        if not readable_by_everybody(ROOT / "bots"):
            pytest.skip("an ordinary user cannot read this checkout")
        config = replace(config, python=python_for_everybody() or config.python)
    with ForkServer(config) as started:
        yield started


@pytest.fixture
def bot() -> Iterator[MakeBot]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # without namespaces its own user has to read it
        yield bots_in(Path(folder))


def bots_in(tmp_path: Path) -> MakeBot:
    count = 0

    def make(main: str) -> Path:
        nonlocal count
        count += 1
        folder = tmp_path / str(count)
        folder.mkdir()
        (folder / "main.py").write_text(main, encoding="utf-8")
        return folder

    return make


def play(server: ForkServer, spec: MatchSpec, *folders: Path, stop: Callable[[], bool] = lambda: False) -> MatchResult:
    limits = JailLimits(memory_mb=spec.limits.memory_mb, log_bytes=20_000)
    players = [JailedPlayer(server, folder, limits) for folder in folders]
    return play_match(spec, players, SystemClock(), lambda event: None, stop)


def test_two_bots_play_a_whole_game(server: ForkServer, bot: MakeBot) -> None:
    result = play(server, reversi_spec(), bot(FIRST), bot(FIRST))
    assert result.diagnoses == (None, None)
    assert verify(result.record) == []
    assert len(result.record.turns) > 50


def test_what_a_bot_prints_is_told_by_the_move(server: ForkServer, bot: MakeBot) -> None:
    """Without a flush, beside a thread that goes on printing, and past what its own file object says."""
    talks = """
import os, threading, time
def chatter():
    for _ in range(1000):
        os.write(2, b".")
        time.sleep(0.0001)
class AIPlayer:
    def __init__(self, color):
        self.color, self.asked = color, 0
    def get_move(self, board):
        self.asked += 1
        print(f"<{self.asked}", end="")
        os.write(1, f"|{self.asked}>".encode())
        if self.asked in (2, 4):
            return "A1"
        if self.asked == 6:
            threading.Thread(target=chatter, daemon=True).start()
            return board.nothing
        return next(board.get_legal_actions(self.color))
"""
    result = play(server, reversi_spec(), bot(talks), bot(FIRST))
    fault = result.diagnoses[0]
    assert fault is not None
    said = [
        printed(result.logs[0], one.moment.printed.begin, one.moment.printed.end) for one in (*result.refused[0], fault)
    ]
    assert [set(re.findall(r"\d", text)) for text in said] == [{"2"}, {"4"}, {"6"}]


MOVE = "def get_move(board):\n    "


@pytest.mark.parametrize(
    ("main", "kind", "told"),
    [
        (MOVE + "return {}[1]", FaultKind.CRASH, "KeyError"),
        (MOVE + "while True: pass", FaultKind.TIMEOUT, "line 2 of main.py"),
        ("import time\n" + MOVE + "time.sleep(60)", FaultKind.TIMEOUT, "line 3 of main.py"),
        (MOVE + "return 'A1'", FaultKind.ILLEGAL_MOVE, "not legal here"),
        (MOVE + "return object()", FaultKind.ILLEGAL_MOVE, "object"),
        ("import sys\n" + MOVE + "sys.exit()", FaultKind.EXIT, "sys.exit"),
        ("import os\n" + MOVE + "os._exit(3)", FaultKind.EXIT, "exit code 3"),
        (MOVE + "return 'x' * 10**10", FaultKind.MEMORY, "memory"),
        (MOVE + "x = []\n    while True: x.append(bytearray(1 << 20))", FaultKind.MEMORY, "memory"),
        ("import ctypes\n" + MOVE + "ctypes.string_at(0)", FaultKind.CRASH, "SIGSEGV"),
        ("import os\n" + MOVE + "os.abort()", FaultKind.CRASH, "SIG"),
        ("import os\n" + MOVE + "os.close(3)\n    return 'D3'", FaultKind.EXIT, "exit code"),
        ("import os\n" + MOVE + "os.close(3)\n    while True: pass", FaultKind.BAD_MESSAGE, "channel"),
        ("import os\n" + MOVE + "os.write(3, b'garbage')\n    return 'D3'", FaultKind.BAD_MESSAGE, "protocol"),
        (
            "import os\n" + MOVE + 'os.write(3, b\'{"t":"answer","nonce":"0","value":"D3"}\')\n    return "D3"',
            FaultKind.BAD_MESSAGE,
            "not asked",
        ),
        ("import os\n" + MOVE + "os.write(3, b'x' * 70000)\n    return 'D3'", FaultKind.BAD_MESSAGE, "65536"),
        ("import os\n" + MOVE + "os.write(1, b'x' * 30000)\n    os.write(1, b'x')", FaultKind.OUTPUT, "log"),
        ("while True: pass", FaultKind.START, "line 1 of main.py"),
        ("import numpyy\n" + MOVE + "pass", FaultKind.START, "numpyy is not installed"),
        ("x = 'a' * 10**10", FaultKind.START, "memory"),
        ("import os; os._exit(0)", FaultKind.START, "importing main.py"),
    ],
)
def test_every_offence_has_its_fault(server: ForkServer, bot: MakeBot, main: str, kind: FaultKind, told: str) -> None:
    # Little time for those who would use any: on a busy machine half a second may pass before a fault is committed.
    # A bot tells its place when a tenth of its time is left: on a busy machine it takes a moment to be heard.
    spec = reversi_spec(
        move_seconds=1.5 if kind is FaultKind.TIMEOUT else 20.0,
        start_seconds=0.5 if main.startswith("while") else 20.0,
    )
    result = play(server, spec, bot(main), bot(FIRST))
    found = result.diagnoses[0]
    assert found is not None
    assert found.kind is kind
    assert told in found.message
    assert result.diagnoses[1] is None
    assert result.outcome.winner == 1
    assert verify(result.record) == []


def test_a_course_bot_that_plays_a_game_at_import_runs_unmodified(server: ForkServer, bot: MakeBot) -> None:
    main = (
        "import time\nfrom func_timeout import func_timeout, FunctionTimedOut\nfrom board import Board\n"
        "from game import Game, RandomPlayer\nfrom copy import deepcopy\nstarted = time.clock()\n"
        + FIRST.replace("return", "assert isinstance(deepcopy(board), Board); return")
        + "black = AIPlayer('X')\nGame(black, RandomPlayer('O')).run()\n"
    )
    result = play(server, reversi_spec(), bot(main), bot(main))
    assert result.diagnoses == (None, None)


def test_scripts_of_other_sites_play(server: ForkServer, bot: MakeBot) -> None:
    result = play(server, reversi_spec(), bot(examples.CODINGAME), bot(examples.BOTZONE))
    assert result.diagnoses == (None, None)


@pytest.mark.skipif(not LIBRARIES.is_dir(), reason="the bots' libraries are not installed")
def test_numpy_answers_and_its_old_names_work(server: ForkServer, bot: MakeBot) -> None:
    pair = "import numpy as np\ndef get_move(state): return np.array([1.5, 2], dtype=np.float)"
    scalars = "import numpy as np\ndef get_move(state): return np.float32(20), np.int64(30)"
    drawn = "import numpy as np\ndef get_move(state): return tuple(np.random.uniform(1, 99, 2))"
    result = play(server, golden_spec(seats=4, rounds=2), bot(pair), bot(scalars), bot(drawn), bot(drawn))
    assert result.diagnoses == (None, None, None, None)
    moves = [move.move for move in result.record.turns[0].moves]
    assert moves[:2] == [[1.5, 2.0], [20.0, 30.0]]
    assert moves[2] != moves[3]
    assert b"np.float was removed" in result.logs[0]


def test_printing_too_much_costs_nothing(server: ForkServer, bot: MakeBot) -> None:
    main = FIRST.replace("return", "print('\u68cb' * 1000); return")
    result = play(server, reversi_spec(), bot(main), bot(FIRST))
    assert result.diagnoses == (None, None)
    assert 0 < len(result.logs[0]) <= 20_000


def test_nobody_thinks_on_the_opponents_time(server: ForkServer, bot: MakeBot) -> None:
    pondering = """
import threading, time
def ponder():
    while True:
        pass
threading.Thread(target=ponder, daemon=True).start()
class AIPlayer:
    def __init__(self, color):
        self.color = color
        self.before = None
    def get_move(self, board):
        if self.before is not None:
            print(time.process_time() - self.before)
        self.before = time.process_time()
        return next(board.get_legal_actions(self.color))
"""
    slow = "import time\n" + FIRST.replace("return", "time.sleep(0.1); return")
    result = play(server, reversi_spec(), bot(pondering), bot(slow))
    assert result.diagnoses == (None, None)
    pondered = [float(line) for line in result.logs[0].split()]
    # of the opponent's 0.1 s; what is left is the bot's own time of waking, in which its threads take turns
    assert sorted(pondered)[len(pondered) // 2] < 0.04


@pytest.fixture
def crowded_core() -> Iterator[int]:
    """The core of the referee, with others who want it all the time."""
    before = os.sched_getaffinity(0)
    core = max(before)
    os.sched_setaffinity(0, {core})  # theirs, too
    neighbours = [subprocess.Popen([sys.executable, "-I", "-S", "-c", "while True: pass"]) for _ in range(4)]
    try:
        yield core
    finally:
        for neighbour in neighbours:
            neighbour.kill()
            neighbour.wait()
        os.sched_setaffinity(0, before)


def test_busy_neighbours_cost_a_bot_no_time(server: ForkServer, bot: MakeBot, crowded_core: int) -> None:
    """Neither while it computes nor while its answer lies there."""
    first_move = "len(list(board.get_legal_actions('X'))) == 4 and not hasattr(self, 'thought')"
    thinker = "import time\n" + FIRST.replace(
        "return",
        f"if {first_move}:\n            self.thought = time.process_time() + 0.2\n"
        "            while time.process_time() < self.thought: pass\n        return",
    )
    events: list[MatchEvent] = []
    spec = reversi_spec()
    players = [JailedPlayer(server, bot(main), jail_limits(spec.limits), crowded_core) for main in (thinker, FIRST)]
    play_match(spec, players, SystemClock(), events.append, lambda: False)
    spent = [move.spent for event in events if isinstance(event, TurnPlayed) for move in event.moves]
    assert spent[0].wall > 1.3 * spent[0].cpu > 0.2, "it was crowded"
    others = sum(one.wall - one.cpu for one in spent)
    assert sum(one.charged - one.cpu for one in spent) < 0.1 * others + 0.01


def test_a_golden_match_goes_on_without_those_who_fail(server: ForkServer, bot: MakeBot) -> None:
    steady = bot("def get_move(state): return 20 + state.seat, 30")
    history = bot("def get_move(state):\n  h = state.history\n  return (h[-1][0][0], 50.5) if h else (1, 2)")
    falling = bot("def get_move(state): return (1, 2) if state.round < 3 else 1 / 0")
    result = play(server, golden_spec(seats=4, rounds=6), steady, history, falling, steady)
    kinds = [found.kind if found else None for found in result.diagnoses]
    assert kinds == [None, None, FaultKind.CRASH, None]
    assert len(result.record.turns) == 6
    assert result.record.turns[-1].moves[1].move == [20.0, 50.5]
    assert verify(result.record) == []


def test_stop_kills_every_bot(server: ForkServer, bot: MakeBot) -> None:
    sleeper = bot("import time\ndef get_move(board): time.sleep(60)")
    until = time.monotonic() + 0.3
    with pytest.raises(MatchStopped):
        play(server, reversi_spec(), sleeper, sleeper, stop=lambda: time.monotonic() > until)
    assert time.monotonic() < until + 2


def test_the_end_of_the_fork_server_is_our_failure(bot: MakeBot) -> None:
    with ForkServer(SandboxConfig(libraries=(), harness=ROOT)) as short_lived:
        sleeper = bot("import time\ndef get_move(board): time.sleep(60)")
        until = time.monotonic() + 0.3

        def stop() -> bool:
            if time.monotonic() > until:
                short_lived.close()
            return False

        with pytest.raises(RefereeFailure):
            play(short_lived, reversi_spec(), sleeper, sleeper, stop=stop)


def check(server: ForkServer, folder: Path, game: str, opponent: Path) -> tuple[CheckReport, list[CheckStep]]:
    steps: list[CheckStep] = []
    libraries = ("bitarray", "numpy", "treelib")
    report = check_bot(
        folder, game, opponent, server, steps.append, SystemClock(), 0.5, libraries=libraries, start_seconds=1.0
    )
    return report, steps


def test_a_bot_that_works_passes_the_check(server: ForkServer, bot: MakeBot) -> None:
    report, steps = check(server, bot(FIRST + "print('hello')\n"), "reversi", bot(FIRST))
    assert report.passed
    assert report.log.startswith(b"hello")
    assert report.record is not None
    assert verify(report.record) == []
    expected = [(name, state) for name in CheckStepName for state in (StepState.RUNNING, StepState.PASSED)]
    assert [(step.name, step.state) for step in steps] == expected
    assert "class AIPlayer" in report.steps[2].message


def test_a_golden_bot_is_checked(server: ForkServer, bot: MakeBot) -> None:
    steady = bot("def get_move(state): return [20, 30][: state.numbers]")
    report, _ = check(server, steady, "golden_point", steady)
    assert report.passed
    assert report.record is not None
    assert len(report.record.turns) == 10


@pytest.mark.parametrize(
    ("main", "step", "told"),
    [
        ("def f(:", CheckStepName.SYNTAX, "invalid syntax"),
        ("import numpyy", CheckStepName.IMPORT, "Permitted are the standard library and bitarray, numpy, treelib."),
        ("\nwhile True:\n    pass", CheckStepName.IMPORT, "main.py"),
        ("import sys\nsys.exit()", CheckStepName.IMPORT, "sys.exit"),
        ("raise ValueError('x' * 10**7)", CheckStepName.IMPORT, "ValueError"),
        ("class Brain: pass", CheckStepName.PLAYER, "the classes Brain"),
        ("class A:\n def get_move(s, b): 1\nclass B:\n def get_move(s, b): 1", CheckStepName.PLAYER, "AIPlayer = A"),
        ("class AIPlayer:\n def __init__(self, c): raise KeyError('no')", CheckStepName.PLAYER, "get_move"),
        (
            "class AIPlayer:\n def __init__(self, c): raise KeyError('no')\n def get_move(self, b): pass",
            CheckStepName.PLAYER,
            "KeyError",
        ),
        ("def get_move(board):\n    return board.nothing", CheckStepName.MATCH, "AttributeError"),
    ],
)
def test_the_check_says_what_is_wrong(
    server: ForkServer, bot: MakeBot, main: str, step: CheckStepName, told: str
) -> None:
    report, steps = check(server, bot(main), "reversi", bot(FIRST))
    assert not report.passed
    failed = next(one for one in report.steps if one.state is StepState.FAILED)
    assert failed.name is step
    assert told in failed.message
    assert failed.diagnosis is not None
    assert len(failed.diagnosis.message) < 3_000
    assert {one.state for one in report.steps[report.steps.index(failed) + 1 :]} <= {StepState.SKIPPED}
    assert {one.name for one in steps} == set(CheckStepName)
