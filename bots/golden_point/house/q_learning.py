"""Learns by Q-learning which of eight rules is the most profitable.

Its state is how often the golden number rose and how often it fell in the last ten rounds. The learning rate is 0.01,
and the discount factor is 0.9. Nine times out of ten it plays the best known rule, otherwise a random one.

All of this is taken from the bot of the original golden-number game. It uses the ``random`` module, so the same seed
gives the same match. The rules are in thinking/actions.py.
"""

import random
from collections import defaultdict
from itertools import pairwise
from typing import Any

from .thinking.actions import ACTIONS, clip_to_rules

LEARNING_RATE = 0.01
DISCOUNT = 0.9
GREEDY = 0.9
REMEMBERED = 10

State = tuple[int, int]


class AIPlayer:
    def __init__(self) -> None:
        self.values: defaultdict[State, list[float]] = defaultdict(lambda: [0.0] * len(ACTIONS))
        self.last: tuple[State, int, int] | None = None  # the state, the action taken in it, the score before it

    def get_move(self, state: Any) -> list[float]:
        now = count_rises_and_falls(state.golden)
        if self.last is not None:
            before, action, score = self.last
            self.learn(before, action, state.score - score, now)
        action = self.choose(now)
        self.last = now, action, state.score
        pair = ACTIONS[action](state.golden, state.players * state.numbers)
        return [clip_to_rules(number) for number in pair[: state.numbers]]

    def learn(self, before: State, action: int, reward: float, after: State) -> None:
        """Move the value of the last action slightly towards its reward plus the discounted value of the next state."""
        target = reward + DISCOUNT * max(self.values[after])
        self.values[before][action] += LEARNING_RATE * (target - self.values[before][action])

    def choose(self, now: State) -> int:
        values = self.values[now]
        if random.random() >= GREEDY:
            return random.randrange(len(ACTIONS))
        return random.choice([action for action, value in enumerate(values) if value == max(values)])


def count_rises_and_falls(golden: list[float]) -> State:
    """Return how often the last ten golden numbers rose, and how often they fell."""
    recent = golden[-REMEMBERED:]
    steps = [after - before for before, after in pairwise(recent)]
    return sum(step > 0 for step in steps), sum(step < 0 for step in steps)
