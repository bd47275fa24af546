"""Learns from all eight rules in every round, not only from the one that it played.

After a round, everybody's numbers are known, so it can compute exactly what each rule would have gained, including the
rule's effect on the golden number.

It plays the rule that would have gained the most in recent rounds. The rules are the same as those of the Q-learning
bot, which sees only the result of its own choice. This bot has eight times as much information and does not need to
explore. It uses no randomness: the same match leads to the same moves. The rules are in thinking/actions.py, and the
computation of points is in thinking/scoring.py.
"""

from typing import Any

from .thinking.actions import ACTIONS, clip_to_rules
from .thinking.scoring import OthersNumbers, gain

# Decay factor per round for what the bot has learned.
DECAY = 0.95


class AIPlayer:
    def __init__(self) -> None:
        self.values = [0.0] * len(ACTIONS)
        self.seen = 0  # number of rounds

    def get_move(self, state: Any) -> list[float]:
        for index in range(self.seen, len(state.golden)):
            self.learn(state, index)
        self.seen = len(state.golden)
        return self.pair(state, self.values.index(max(self.values)), self.seen)

    def learn(self, state: Any, index: int) -> None:
        """Update each rule's value with what the rule would have gained in this past round."""
        played = [own for seat, own in enumerate(state.history[index]) if own is not None and seat != state.seat]
        others = OthersNumbers.collect(played)
        for action in range(len(ACTIONS)):
            reward = gain(self.pair(state, action, index), others)
            self.values[action] = DECAY * self.values[action] + (1 - DECAY) * reward

    def pair(self, state: Any, action: int, index: int) -> list[float]:
        """Return the numbers that a rule plays after ``index`` rounds."""
        pair = ACTIONS[action](state.golden[:index], state.players * state.numbers)
        return [clip_to_rules(number) for number in pair[: state.numbers]]
