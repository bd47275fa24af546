"""Learns from all eight rules in every round, not only from the one that it played. Once a round is over everybody's
numbers are known, so what each rule would have won can be computed exactly, the golden number that it would have moved
included. It plays the rule that would have won the most lately. The rules are those of the Q-learning bot, which sees
only what its own choice brought: this one knows eight times as much and need not try anything.

It draws nothing: equal matches lead to equal moves. The rules are in thinking/actions.py, the points in
thinking/scoring.py.
"""

from typing import Any

from .thinking.actions import ACTIONS, within
from .thinking.scoring import Others, gain

# How much of what was learned a round later still counts.
KEPT = 0.95


class AIPlayer:
    def __init__(self) -> None:
        self.values = [0.0] * len(ACTIONS)
        self.seen = 0  # rounds

    def get_move(self, state: Any) -> list[float]:
        for index in range(self.seen, len(state.golden)):
            self.learn(state, index)
        self.seen = len(state.golden)
        return self.pair(state, self.values.index(max(self.values)), self.seen)

    def learn(self, state: Any, index: int) -> None:
        """What every rule would have gained in this round of the past."""
        played = [own for seat, own in enumerate(state.history[index]) if own is not None and seat != state.seat]
        others = Others.of(played)
        for action in range(len(ACTIONS)):
            reward = gain(self.pair(state, action, index), others)
            self.values[action] = KEPT * self.values[action] + (1 - KEPT) * reward

    def pair(self, state: Any, action: int, index: int) -> list[float]:
        """What a rule plays once ``index`` rounds are over."""
        pair = ACTIONS[action](state.golden[:index], state.players * state.numbers)
        return [within(number) for number in pair[: state.numbers]]
