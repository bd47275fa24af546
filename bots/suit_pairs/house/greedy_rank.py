"""Takes points, and looks ahead to the third and fourth card of a rank.

It values a second card of a rank more highly while a third is available. It also puts a higher value on a card that its
opponent needs as a third or fourth. It keeps both kinds of cards in its hand. Its parts: decisions/decision.py,
decisions/ranks.py.
"""

from typing import Any

from .decisions.decision import choose_action
from .decisions.ranks import RankValues


class AIPlayer:
    def get_move(self, state: Any) -> Any:
        prospects = RankValues(state)
        return choose_action(state, prospects.value_taken, prospects.cost_given)
