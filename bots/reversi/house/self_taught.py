"""Uses a tree search similar to MCTS, guided by a neural network that taught itself.

The network learned only from millions of games against itself: its policy suggests the moves to try, and its value
predicts the winner. The last fifteen squares or so are solved exactly.

The parts, from the ground up: engine/bitboard.py, engine/network.py, engine/puct.py, engine/endgame.py,
engine/network_player.py.
"""

import gc
from typing import Any

from .engine.bitboard import position_from_board, square_name
from .engine.budget import MAX_SECONDS, TimeBudget
from .engine.network import shipped_network
from .engine.network_player import NetworkPlayer

gc.disable()  # a tree without links to parents has no reference cycles


class AIPlayer:
    seconds_per_move = MAX_SECONDS  # the arena sets this to the time limit per move of the match

    def __init__(self, color: str) -> None:
        self.color = color
        self.budget = TimeBudget()
        self.player = NetworkPlayer(shipped_network(), clock=self.budget.clock)

    def get_move(self, board: Any) -> str:
        own, other = position_from_board(board, self.color)
        return square_name(self.player.think(own, other, self.budget.begin(self.seconds_per_move)).move)
