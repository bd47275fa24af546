"""Chooses whatever scores the most points immediately.

It captures as soon as two cards in its hand are worth more than the best pair, and gives away its cheapest cards. It
ignores what a card could be worth later. The decisions are made in decisions/decision.py.
"""

from typing import Any

from .decisions.decision import choose_action


class AIPlayer:
    def get_move(self, state: Any) -> Any:
        return choose_action(state, state.gain, lambda card: card.points)
