"""Games between two evaluations at equal depth, from random openings.

Invariant: the same arguments give the same result; nothing depends on time.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from bots.reversi.house.engine.bitboard import iterate_squares, legal_moves, parse_square, position_after
from bots.reversi.house.engine.evaluation import Evaluation, Weights, create_evaluation, final_lead
from bots.reversi.house.engine.thinking import Thinker

OPENING_PLIES: Final = 8
_START: Final = (parse_square("E4") | parse_square("D5"), parse_square("D4") | parse_square("E5"))
_ENDLESS: Final = 1e9  # seconds: effectively unlimited, so that only depth limits a search

Position = tuple[int, int]  # the discs of the side to move, and of the other side


@dataclass(frozen=True, slots=True)
class Score:
    """One side's wins, draws and losses against another."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """Return the share of points won, counting a draw as half; 0 if there are no games."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.0

    def __add__(self, other: Score) -> Score:
        return Score(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)


def openings(count: int, seed: int) -> list[Position]:
    """Return this many positions reached by random moves, each with black to move."""
    chance = random.Random(seed)  # noqa: S311 - reproducible openings
    found: list[Position] = []
    while len(found) < count:
        own, other = _START
        for _ in range(OPENING_PLIES):
            own, other = position_after(own, other, chance.choice(list(iterate_squares(legal_moves(own, other)))))
            if not legal_moves(own, other):
                break
        else:
            found.append((own, other))
    return found


def play_match(ours: Weights, theirs: Weights, starts: list[Position], depth: int) -> Score:
    """Play each opening twice, once with each colour; return the score of ``ours``."""
    return compare_weights(create_evaluation(ours), create_evaluation(theirs), starts, depth)


def compare_weights(ours: Evaluation, theirs: Evaluation, starts: list[Position], depth: int) -> Score:
    total = Score()
    for start in starts:
        total += _count_scores(_play_game(start, ours, theirs, depth))
        total += _count_scores(-_play_game(start, theirs, ours, depth))
    return total


def _count_scores(lead: int) -> Score:
    return Score(lead > 0, lead == 0, lead < 0)


def _play_game(start: Position, first: Evaluation, second: Evaluation, depth: int) -> int:
    """Play a game; return the first mover's final lead in discs."""
    own, other = start
    players = [Thinker(evaluate, max_depth=depth, solve=False, clock=lambda: 0.0) for evaluate in (first, second)]
    side = 0
    while True:
        if not legal_moves(own, other):
            own, other, side = other, own, 1 - side
            if not legal_moves(own, other):
                return final_lead(own, other) * (-1 if side else 1)
        own, other = position_after(own, other, players[side].think(own, other, _ENDLESS).move)
        side = 1 - side
