"""The referee runs matches between real bots in a real jail."""

from __future__ import annotations

import re
import time

import pytest

from arena.core.referee.diagnosis import output_between
from arena.core.referee.faults import MatchStopped, RefereeFailure
from arena.core.referee.replay import verify
from arena.core.sandbox.config import SandboxConfig
from arena.core.sandbox.supervision.forkserver import ForkServer
from arena.games.bot_packages import sdk_packages
from arena.games.registry import GAMES
from tests.bots.sdk.scripts import examples
from tests.core.referee.jailed import FIRST, LIBRARIES, ROOT, MakeBot, play_in_jail
from tests.core.referee.matches import golden_spec, reversi_spec

pytestmark = pytest.mark.sandbox


def test_two_bots_play_a_whole_match(server: ForkServer, bot: MakeBot) -> None:
    result = play_in_jail(server, reversi_spec(), bot(FIRST), bot(FIRST))
    assert result.diagnoses == (None, None)
    assert verify(result.record, GAMES) == []
    assert len(result.record.turns) > 50


def test_output_of_a_bot_is_attributed_to_its_move(server: ForkServer, bot: MakeBot) -> None:
    """Output belongs to its move even if it is not flushed, comes from a thread, or bypasses ``sys.stdout``."""
    talks = """
import os, threading, time
def chatter():
    for _ in range(1000):
        os.write(2, b".")
        time.sleep(0.0001)
class AIPlayer:
    def __init__(self, color):
        self.color, self.moves = color, 0
    def get_move(self, board):
        self.moves += 1
        print(f"<{self.moves}", end="")
        os.write(1, f"|{self.moves}>".encode())
        if self.moves in (2, 4):
            return "A1"
        if self.moves == 6:
            threading.Thread(target=chatter, daemon=True).start()
            return board.nothing
        return next(board.get_legal_actions(self.color))
"""
    result = play_in_jail(server, reversi_spec(), bot(talks), bot(FIRST))
    fault = result.diagnoses[0]
    assert fault is not None
    said = [
        output_between(result.logs[0], one.moment.printed.begin, one.moment.printed.end)
        for one in (*result.rejected[0], fault)
    ]
    assert [set(re.findall(r"\d", text)) for text in said] == [{"2"}, {"4"}, {"6"}]


def test_course_bot_that_plays_a_game_at_import_runs_unmodified(server: ForkServer, bot: MakeBot) -> None:
    main = (
        "import time\nfrom func_timeout import func_timeout, FunctionTimedOut\nfrom board import Board\n"
        "from game import Game, RandomPlayer\nfrom copy import deepcopy\nstarted = time.clock()\n"
        + FIRST.replace("return", "assert isinstance(deepcopy(board), Board); return")
        + "black = AIPlayer('X')\nGame(black, RandomPlayer('O')).run()\n"
    )
    result = play_in_jail(server, reversi_spec(), bot(main), bot(main))
    assert result.diagnoses == (None, None)


def test_legacy_import_names_of_board_and_state_still_work(server: ForkServer, bot: MakeBot) -> None:
    board = FIRST.replace("return", "assert isinstance(board, Board); return")
    result = play_in_jail(server, reversi_spec(), bot(f"from bots.sdk.board import Board\n{board}"), bot(FIRST))
    assert result.diagnoses == (None, None)
    state = "from bots.sdk.golden_state import GoldenState\n"
    state += "def get_move(state):\n    assert isinstance(state, GoldenState)\n    return 20.0, 12.0\n"
    result = play_in_jail(server, golden_spec(seats=2, rounds=2), bot(state), bot(state))
    assert result.diagnoses == (None, None)


def test_bot_sees_only_the_parts_of_a_game_that_its_harness_needs(server: ForkServer, bot: MakeBot) -> None:
    looks = """
import importlib, os, bots, bots.reversi, bots.reversi.sdk
assert not bots.reversi.__doc__
for name in ("bots.reversi.house", "bots.golden_point.training", "bots.reversi.starter", "bots.cli", "arena.games"):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        continue
    raise ValueError(name)
"""
    result = play_in_jail(server, reversi_spec(), bot(looks + FIRST), bot(FIRST))
    assert result.diagnoses == (None, None)


def test_scripts_of_other_sites_play(server: ForkServer, bot: MakeBot) -> None:
    result = play_in_jail(server, reversi_spec(), bot(examples.CODINGAME), bot(examples.BOTZONE))
    assert result.diagnoses == (None, None)


@pytest.mark.skipif(not LIBRARIES.is_dir(), reason="the bots' libraries are not installed: make install")
def test_numpy_values_are_accepted_and_its_old_names_work(server: ForkServer, bot: MakeBot) -> None:
    pair = "import numpy as np\ndef get_move(state): return np.array([1.5, 2], dtype=np.float)"
    scalars = "import numpy as np\ndef get_move(state): return np.float32(20), np.int64(30)"
    drawn = "import numpy as np\ndef get_move(state): return tuple(np.random.uniform(1, 99, 2))"
    result = play_in_jail(server, golden_spec(seats=4, rounds=2), bot(pair), bot(scalars), bot(drawn), bot(drawn))
    assert result.diagnoses == (None, None, None, None)
    moves = [move.move for move in result.record.turns[0].moves]
    assert moves[:2] == [[1.5, 2.0], [20.0, 30.0]]
    assert moves[2] != moves[3]
    assert b"np.float was removed" in result.logs[0]


def test_excessive_output_is_not_penalized(server: ForkServer, bot: MakeBot) -> None:
    main = FIRST.replace("return", "print('\u68cb' * 1000); return")
    result = play_in_jail(server, reversi_spec(), bot(main), bot(FIRST))
    assert result.diagnoses == (None, None)
    assert 0 < len(result.logs[0]) <= 20_000


def test_stop_kills_every_bot(server: ForkServer, bot: MakeBot) -> None:
    sleeper = bot("import time\ndef get_move(board): time.sleep(60)")
    until = time.monotonic() + 0.3
    with pytest.raises(MatchStopped):
        play_in_jail(server, reversi_spec(), sleeper, sleeper, stop=lambda: time.monotonic() > until)
    assert time.monotonic() < until + 30, "it waited for the bots, which sleep for a minute"


@pytest.mark.long
def test_fork_server_death_is_an_arena_failure(bot: MakeBot) -> None:
    with ForkServer(SandboxConfig((), ROOT, packages=sdk_packages())) as short_lived:
        sleeper = bot("import time\ndef get_move(board): time.sleep(60)")
        until = time.monotonic() + 0.3

        def stop() -> bool:
            if time.monotonic() > until:
                short_lived.close()
            return False

        with pytest.raises(RefereeFailure):
            play_in_jail(short_lived, reversi_spec(), sleeper, sleeper, stop=stop)
