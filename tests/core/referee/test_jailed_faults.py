"""Faults of real bots in a real jail are classified by their cause."""

from __future__ import annotations

import pytest

from arena.core.referee.faults import FaultKind
from arena.core.referee.replay import verify
from arena.core.sandbox.supervision.forkserver import ForkServer
from arena.games.registry import GAMES
from tests.core.message_codes import codes_of
from tests.core.referee.jailed import FIRST, MakeBot, play_in_jail
from tests.core.referee.matches import golden_spec, reversi_spec

pytestmark = pytest.mark.sandbox

MOVE = "def get_move(board):\n    "


@pytest.mark.parametrize(
    ("main", "kind", "reason"),
    [
        (MOVE + "return {}[1]", FaultKind.CRASH, "KeyError"),
        (MOVE + "while True: pass", FaultKind.TIMEOUT, "line 2 of main.py"),
        ("import time\n" + MOVE + "time.sleep(60)", FaultKind.TIMEOUT, "line 3 of main.py"),
        (MOVE + "return 'A1'", FaultKind.ILLEGAL_MOVE, "reversi.not_legal"),
        (MOVE + "return object()", FaultKind.ILLEGAL_MOVE, "object"),
        ("import sys\n" + MOVE + "sys.exit()", FaultKind.EXIT, "sys.exit"),
        ("import os\n" + MOVE + "os._exit(3)", FaultKind.EXIT, "code 3"),
        (MOVE + "return 'x' * 10**10", FaultKind.MEMORY, "512 MiB"),
        (MOVE + "x = []\n    while True: x.append(bytearray(1 << 20))", FaultKind.MEMORY, "512 MiB"),
        ("import ctypes\n" + MOVE + "ctypes.string_at(0)", FaultKind.CRASH, "SIGSEGV"),
        ("import os\n" + MOVE + "os.abort()", FaultKind.CRASH, "SIG"),
        ("import os\n" + MOVE + "os.close(3)\n    return 'D3'", FaultKind.EXIT, "end.exited"),
        ("import os\n" + MOVE + "os.close(3)\n    while True: pass", FaultKind.BAD_MESSAGE, "channel"),
        ("import os\n" + MOVE + "os.write(3, b'garbage')\n    return 'D3'", FaultKind.BAD_MESSAGE, "protocol"),
        (
            "import os\n" + MOVE + 'os.write(3, b\'{"t":"answer","nonce":"0","value":"D3"}\')\n    return "D3"',
            FaultKind.BAD_MESSAGE,
            "channel.wrong_nonce",
        ),
        ("import os\n" + MOVE + "os.write(3, b'x' * 70000)\n    return 'D3'", FaultKind.BAD_MESSAGE, "65536"),
        (
            "import os\n" + MOVE + "os.write(1, bytes(17 << 20))\n    os.write(1, b'x')",
            FaultKind.OUTPUT,
            "16 MiB",
        ),
        ("while True: pass", FaultKind.START, "line 1 of main.py"),
        ("import numpyy\n" + MOVE + "pass", FaultKind.START, "start.not_installed"),
        ("x = 'a' * 10**10", FaultKind.START, "memory"),
        ("import os; os._exit(0)", FaultKind.START, "importing main.py"),
    ],
)
def test_every_cause_has_its_fault(server: ForkServer, bot: MakeBot, main: str, kind: FaultKind, reason: str) -> None:
    # Limits are short only for endless loops, since other bots need time to reach their fault on a busy machine. A
    # timeout needs longer than 0.5 s, because the line being executed is logged when a tenth of the time is left.
    spec = reversi_spec(
        move_seconds=1.5 if kind is FaultKind.TIMEOUT else 20.0,
        start_seconds=0.5 if main.startswith("while") else 20.0,
    )
    result = play_in_jail(server, spec, bot(main), bot(FIRST))
    found = result.diagnoses[0]
    assert found is not None
    assert found.kind is kind
    assert reason in " ".join([*codes_of(found.message), found.message.text])
    assert result.diagnoses[1] is None
    assert result.outcome.winner == 1
    assert verify(result.record, GAMES) == []


TRICKS_ON_ITS_LOG = {
    "unbuffered": "fcntl.fcntl(1, fcntl.F_SETFL, fcntl.fcntl(1, fcntl.F_GETFL) | os.O_DIRECT)",
    "not waiting": "fcntl.fcntl(2, fcntl.F_SETFL, os.O_NONBLOCK)",
    "not appending": "fcntl.fcntl(1, fcntl.F_SETFL, 0)",
    "not blocking by ioctl": "os.set_blocking(1, False)",
    "another position": "os.lseek(1, 10**6, 0); os.write(1, b'y')",
    "shorter": "os.ftruncate(1, 0)",
    "longer": "os.ftruncate(1, 19_000)",
    "a hole": "os.pwrite(1, b'y', 10_000)",
    "closed": "os.close(1); os.close(2)",
    "another file": "os.dup2(0, 1); os.dup2(3, 2)",
}


@pytest.mark.parametrize("trick", TRICKS_ON_ITS_LOG)
def test_bot_cannot_void_the_match_through_its_log(server: ForkServer, bot: MakeBot, trick: str) -> None:
    """Whatever a bot does to its own log, the arena does not fail.

    If such a trick raises an error in the bot, the bot loses unless it catches the error.
    """
    do = f"os.write(1, b'x\\n'); {TRICKS_ON_ITS_LOG[trick]}"
    careless = FIRST.replace("return", f"{do}; return")
    careful = FIRST.replace("        return", f"        try: {do}\n        except OSError: pass\n        return")
    for main in (careless, careful):
        result = play_in_jail(server, reversi_spec(), bot("import fcntl, os\n" + main), bot(FIRST))
        found = result.diagnoses[0]
        assert found is None or (main is careless and found.kind is FaultKind.CRASH)
        assert result.diagnoses[1] is None
        assert len(result.logs[0]) <= 20_000


def test_golden_point_match_continues_without_faulty_bots(server: ForkServer, bot: MakeBot) -> None:
    steady = bot("def get_move(state): return 20 + state.seat, 30")
    history = bot("def get_move(state):\n  h = state.history\n  return (h[-1][0][0], 50.5) if h else (1, 2)")
    falling = bot("def get_move(state): return (1, 2) if state.round < 3 else 1 / 0")
    result = play_in_jail(server, golden_spec(seats=4, rounds=6), steady, history, falling, steady)
    kinds = [found.kind if found else None for found in result.diagnoses]
    assert kinds == [None, None, FaultKind.CRASH, None]
    assert len(result.record.turns) == 6
    assert result.record.turns[-1].moves[1].move == [20.0, 50.5]
    assert verify(result.record, GAMES) == []
