"""Plain minimax to a fixed depth without pruning, the reference for alpha-beta."""

from __future__ import annotations

from bots.reversi.house.engine.bitboard import after, each, flips, moves
from bots.reversi.house.engine.evaluation import Evaluation, finished


class Minimax:
    """Minimax search that counts ``nodes`` as ``engine.search.Search`` does."""

    def __init__(self, evaluate: Evaluation) -> None:
        self._evaluate = evaluate
        self.nodes = 0

    def value(self, own: int, other: int, depth: int) -> int:
        self.nodes += 1
        if depth == 0:
            return self._evaluate(own, other)
        legal = moves(own, other)
        if not legal:
            return -self.value(other, own, depth) if moves(other, own) else finished(own, other)
        if depth == 1:
            return self._leaves(own, other, legal)
        return max(-self.value(*after(own, other, move), depth - 1) for move in each(legal))

    def _leaves(self, own: int, other: int, legal: int) -> int:
        """Compute the same value as one more level of recursion, in half the time."""
        evaluate = self._evaluate
        self.nodes += legal.bit_count()
        values = []
        for move in each(legal):
            turned = flips(own, other, move)
            values.append(evaluate(other ^ turned, own | turned | move))
        return -min(values)
