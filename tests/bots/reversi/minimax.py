"""Plain minimax to a fixed depth without pruning, the reference for alpha-beta."""

from __future__ import annotations

from bots.reversi.house.engine.bitboard import discs_flipped_by, iterate_squares, legal_moves, position_after
from bots.reversi.house.engine.evaluation import Evaluation, final_value


class Minimax:
    """A minimax search that counts ``nodes`` as ``engine.search.Search`` does."""

    def __init__(self, evaluate: Evaluation) -> None:
        self._evaluate = evaluate
        self.nodes = 0

    def value(self, own: int, other: int, depth: int) -> int:
        self.nodes += 1
        if depth == 0:
            return self._evaluate(own, other)
        legal = legal_moves(own, other)
        if not legal:
            return -self.value(other, own, depth) if legal_moves(other, own) else final_value(own, other)
        if depth == 1:
            return self._leaves(own, other, legal)
        return max(-self.value(*position_after(own, other, move), depth - 1) for move in iterate_squares(legal))

    def _leaves(self, own: int, other: int, legal: int) -> int:
        """Compute the same value as one more level of recursion would, in half the time."""
        evaluate = self._evaluate
        self.nodes += legal.bit_count()
        values = []
        for move in iterate_squares(legal):
            turned = discs_flipped_by(own, other, move)
            values.append(evaluate(other ^ turned, own | turned | move))
        return -min(values)
