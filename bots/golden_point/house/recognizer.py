"""Recognizes which rule each opponent follows, predicts the coming round and plays the best reply to it.

It compares every number of an opponent with the predictions of some twenty rules. From the rules that fit, it samples
possible rounds and plays the numbers with the highest total gain.

It may also play one number far from the others, to move the golden number to where nobody else is, if that gains more.
Samples are drawn with the ``random`` module: with the same seed, it plays the same match. The parts, from the ground
up: thinking/scoring.py, thinking/rules.py, thinking/opponent.py, thinking/reply.py.
"""

import random
from typing import Any

from .thinking.opponent import Opponent
from .thinking.reply import best_reply
from .thinking.rules import GOLDEN_RULES, PublicHistory
from .thinking.scoring import OthersNumbers

TABLES = 60  # possible next rounds, sampled on each turn
FIRST = (19.1, 28.0)  # 0.618 x 0.618 x 50, which is also the first number of the original game's bots


class AIPlayer:
    def __init__(self) -> None:
        self.opponents: dict[int, Opponent] = {}
        self.seen = 0  # number of rounds

    def get_move(self, state: Any) -> list[float]:
        for index in range(self.seen, len(state.golden)):
            self.watch(state, index)
        self.seen = len(state.golden)
        if not self.opponents:
            return list(FIRST[: state.numbers])
        rng = random.Random(random.getrandbits(64))
        tables = [
            OthersNumbers.collect([opponent.sample_numbers(rng) for opponent in self.opponents.values()])
            for _ in range(TABLES)
        ]
        return best_reply(tables, state.numbers)

    def watch(self, state: Any, index: int) -> None:
        """Learn from a finished round; opponents that did not play in it are no longer considered."""
        played = state.history[index]
        numbers = [number for own in played if own is not None for number in own]
        table = PublicHistory(state.golden[: index + 1], sum(numbers), len(numbers))
        predictions = [rule(table) for rule in GOLDEN_RULES]
        for seat, own in enumerate(played):
            if seat == state.seat:
                continue
            if own is None:
                self.opponents.pop(seat, None)
                continue
            opponent = self.opponents.setdefault(seat, Opponent(state.numbers))
            opponent.observe(own)
            opponent.expect(predictions, table, own)
