"""Real bots on a crowded core are charged for deliberate waits, but not for waiting for the core."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.core.referee.clock import SystemClock
from arena.core.referee.events import MatchEvent, TimeSpent, TurnPlayed
from arena.core.referee.failure_messages import TOO_BUSY
from arena.core.referee.faults import FaultKind, RefereeFailure
from arena.core.referee.jailed_player import JailedPlayer, jail_limits
from arena.core.referee.play import MatchResult, play_match
from arena.core.referee.spec import MatchSpec
from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.referee.jailed import FIRST, MakeBot
from tests.core.referee.matches import reversi_spec
from tests.core.sandbox.configs import MODES

# Time is measured from outside the jail, in the same way in every mode; test_ordinary_user.py runs this file in the
# last mode.
pytestmark = [pytest.mark.sandbox, pytest.mark.parametrize("server", MODES[:1], indirect=True)]

BURN = """
import threading, time
from func_timeout import func_timeout

def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
"""
# What a bot does once, on its first move.
ONCE = """
class AIPlayer:
    def __init__(self, color):
        self.color, self.done = color, False
    def get_move(self, board):
        if not self.done:
            self.done = True
            once()
        return next(board.get_legal_actions(self.color))
"""


def bot_with_first_move(once: str) -> str:
    return f"{BURN}\ndef once():\n    {once}\n{ONCE}"


def play_on_crowded_core(
    server: ForkServer, core: int, spec: MatchSpec, *folders: Path
) -> tuple[MatchResult, list[TimeSpent]]:
    """Play a match on a crowded core; return the result and the time spent on each of the first player's moves."""
    events: list[MatchEvent] = []
    players = [JailedPlayer(server, folder, jail_limits(spec.limits), core) for folder in folders]
    result = play_match(spec, players, SystemClock(), events.append, lambda: False)
    moves = [move for event in events if isinstance(event, TurnPlayed) for move in event.moves]
    return result, [move.spent for move in moves if move.seat == 0]


@pytest.mark.parametrize(
    "once",
    [
        "burn(0.4)",
        pytest.param("func_timeout(600, burn, (0.4,))", marks=pytest.mark.long),
        pytest.param("[func_timeout(600, burn, (0.1,)) for _ in range(4)]", marks=pytest.mark.long),
        pytest.param("burn(0.15); func_timeout(600, burn, (0.15,)); burn(0.1)", marks=pytest.mark.long),
    ],
    ids=["directly", "in a thread", "in one thread after the other", "in turn"],
)
def test_computation_is_charged_equally_in_any_thread(
    server: ForkServer, bot: MakeBot, crowded_core: int, once: str
) -> None:
    _, spent = play_on_crowded_core(server, crowded_core, reversi_spec(), bot(bot_with_first_move(once)), bot(FIRST))
    assert spent[0].wall > 2 * spent[0].cpu > 0.8, "it was crowded"
    waited = spent[0].wall - spent[0].cpu
    assert spent[0].charged - spent[0].cpu < 0.25 * waited


@pytest.mark.long
def test_waiting_is_not_charged_to_a_start_in_a_thread(server: ForkServer, bot: MakeBot, crowded_core: int) -> None:
    """A bot that computes in a thread during its import is not charged for waiting for a core.

    Regression test: three such bots from the course failed to start.
    """
    starter = BURN + "func_timeout(600, burn, (0.6,))\n" + FIRST
    spec = reversi_spec(start_seconds=2.0)
    result, _ = play_on_crowded_core(server, crowded_core, spec, bot(starter), bot(FIRST))
    assert result.diagnoses == (None, None)


class _StarvedPlayer(JailedPlayer):
    """A bot that gets almost no time on a contested core once it is asked for a move."""

    def ask(self, payload: bytes) -> None:
        if b'"move"' in payload:
            os.setpriority(os.PRIO_PROCESS, self.process_id, 19)
            group = Path(f"/proc/{self.process_id}/autogroup")
            if group.exists():  # sessions then share the core, and niceness only counts within one
                group.write_text("19")
        super().ask(payload)


@pytest.mark.long
@pytest.mark.parametrize("once", ["burn(0.3)", "func_timeout(600, burn, (0.3,))"])
def test_wall_limit_reached_without_using_the_time_limit_voids_the_match(
    server: ForkServer, bot: MakeBot, crowded_core: int, once: str
) -> None:
    """If the wall limit is reached first, the match is void; the reason says that the machine was too busy."""
    if os.geteuid() != 0 and Path("/proc/self/autogroup").exists():
        pytest.skip("only root may make a session nice")
    spec = reversi_spec(move_seconds=0.6)
    folders = [bot(bot_with_first_move(once)), bot(FIRST)]
    players = [_StarvedPlayer(server, folder, jail_limits(spec.limits), crowded_core) for folder in folders]
    with pytest.raises(RefereeFailure) as seen:
        play_match(spec, players, SystemClock(), lambda event: None, lambda: False)
    assert (seen.value.message.code, seen.value.message.parameters["seat"]) == (TOO_BUSY.code, 1)
    assert 6 <= float(str(seen.value.message.parameters["seconds"])) < 7
    assert float(str(seen.value.message.parameters["received"])) < 1


@pytest.mark.parametrize(
    "once",
    [
        "time.sleep(60)",
        pytest.param(
            "threading.Lock().acquire() and (lock := threading.Lock()).acquire() and lock.acquire()",
            marks=pytest.mark.long,
        ),
        # Threads that all compete for the core, so that their run delays add up to much more than the time limit.
        pytest.param(
            "[threading.Thread(target=rush, daemon=True).start() for _ in range(12)]; time.sleep(60)",
            marks=pytest.mark.long,
        ),
        pytest.param("churn()", marks=pytest.mark.long),
        pytest.param("func_timeout(60, time.sleep, (60,))", marks=pytest.mark.long),
        # The helper threads keep the core busy; the bot is charged the sum of their CPU time.
        pytest.param(
            "[threading.Thread(target=burn, args=(60,), daemon=True).start() for _ in range(6)]; time.sleep(60)",
            marks=pytest.mark.long,
        ),
    ],
    ids=["sleeps", "waits for its own lock", "rushes", "churns", "sleeps in a thread", "spins in threads"],
)
def test_bot_that_sleeps_deliberately_loses_and_the_match_is_not_void(
    server: ForkServer, bot: MakeBot, crowded_core: int, once: str
) -> None:
    stalling = """
def rush():
    while True:
        time.sleep(0.04 - time.monotonic() % 0.04)
        end = time.thread_time() + 0.0003
        while time.thread_time() < end: pass
def churn():
    while True:
        threads = [threading.Thread(target=time.sleep, args=(0.001,)) for _ in range(12)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        time.sleep(0.01)
"""
    result, _ = play_on_crowded_core(
        server, crowded_core, reversi_spec(move_seconds=0.8), bot(stalling + bot_with_first_move(once)), bot(FIRST)
    )
    diagnosis = result.diagnoses[0]
    assert diagnosis is not None
    assert diagnosis.kind is FaultKind.TIMEOUT
