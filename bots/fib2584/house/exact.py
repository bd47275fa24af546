"""Knows the exact value of every board and always plays a best move.

When it starts, it lists all 816,000 reachable boards and computes their values, beginning with the boards with the
largest sums. This takes less than a second (see engine/solver.py).
"""

from typing import Any

from .engine.board import canonical_code, legal_slides
from .engine.solver import solve


class AIPlayer:
    def __init__(self) -> None:
        solution = solve()
        self.values = dict(zip(solution.after.tolist(), solution.after_values.tolist(), strict=True))

    def get_move(self, state: Any) -> int:
        return max(legal_slides(state.indices), key=lambda found: found[2] + self.values[canonical_code(found[1])])[0]
