"""Recognises which rule each opponent follows, predicts the coming round and plays the best reply to it. Every number
of an opponent is compared with what some twenty rules would have played; from the rules that fit it draws rounds that
may come, and plays the numbers that gain the most over all of them. Where that pays, one of its numbers is thrown far
away, to move the golden number to where nobody else is.

What may come is drawn from the module random: who seeds that gets the same match again. The parts, from the ground up:
thinking/scoring.py, thinking/rules.py, thinking/opponent.py, thinking/reply.py.
"""

import random
from typing import Any

from .thinking.opponent import Opponent
from .thinking.reply import best_reply
from .thinking.rules import GOLDEN_RULES, Table
from .thinking.scoring import Others

TABLES = 60  # rounds that may come, drawn in each turn
FIRST = (19.1, 28.0)  # 0.618 x 0.618 x 50, and what the original's bots begin with


class AIPlayer:
    def __init__(self) -> None:
        self.opponents: dict[int, Opponent] = {}
        self.seen = 0  # rounds

    def get_move(self, state: Any) -> list[float]:
        for index in range(self.seen, len(state.golden)):
            self.watch(state, index)
        self.seen = len(state.golden)
        if not self.opponents:
            return list(FIRST[: state.numbers])
        rng = random.Random(random.getrandbits(64))
        tables = [Others.of([opponent.drawn(rng) for opponent in self.opponents.values()]) for _ in range(TABLES)]
        return best_reply(tables, state.numbers)

    def watch(self, state: Any, index: int) -> None:
        """Learn from a round that is over; who did not play in it is out."""
        played = state.history[index]
        numbers = [number for own in played if own is not None for number in own]
        table = Table(state.golden[: index + 1], sum(numbers), len(numbers))
        said = [rule(table) for rule in GOLDEN_RULES]
        for seat, own in enumerate(played):
            if seat == state.seat:
                continue
            if own is None:
                self.opponents.pop(seat, None)
                continue
            opponent = self.opponents.setdefault(seat, Opponent(state.numbers))
            opponent.saw(own)
            opponent.expect(said, table, own)
