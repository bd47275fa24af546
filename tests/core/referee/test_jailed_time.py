"""Each bot is charged for all the time that it uses and for no other; tested with real bots in a real jail."""

from __future__ import annotations

import pytest

from arena.core.referee.clock import SystemClock
from arena.core.referee.events import MatchEvent, TurnPlayed
from arena.core.referee.jailed_player import JailedPlayer, jail_limits
from arena.core.referee.play import play_match
from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.referee.jailed import FIRST, MakeBot, play_in_jail
from tests.core.referee.matches import reversi_spec

pytestmark = pytest.mark.sandbox


def test_bot_cannot_think_on_the_opponents_time(server: ForkServer, bot: MakeBot) -> None:
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
    result = play_in_jail(server, reversi_spec(), bot(pondering), bot(slow))
    assert result.diagnoses == (None, None)
    pondered = [float(line) for line in result.logs[0].split()]
    # The bot is stopped while the opponent sleeps for 0.1 s. What remains is its own wake-up, during which its threads
    # take turns.
    assert sorted(pondered)[len(pondered) // 2] < 0.04


@pytest.mark.long
def test_busy_neighbours_cost_a_bot_no_time(server: ForkServer, bot: MakeBot, crowded_core: int) -> None:
    """Load from other bots costs a bot no time, whether the bot is computing or its answer is waiting to be read."""
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
