"""TD(0) on afterstates: play the greedy move, and move each value towards its successor.

V(a) += rate * (reward + V(a') - V(a)) where a' is the afterstate of the next move; at the end of a game, 0 takes the
place of reward and value (Sutton and Barto, Reinforcement Learning, 6.1 and 6.8). Every value begins at ``initial``: if
it is 0, the learner exploits the first strategy that works; a value above that of most boards (optimistic
initialization) makes it explore.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bots.fib2584.house.engine.board import DROPS
from bots.fib2584.training.positions import ILLEGAL, Indices, Positions

_NONE = -1


@dataclass(frozen=True, slots=True)
class Plan:
    """A training plan: play ``games`` games, ``side_by_side`` of them at a time.

    The rate decreases linearly from ``first_rate`` to ``last_rate``.
    """

    games: int = 400_000
    initial: float = 0.0
    first_rate: float = 0.5
    last_rate: float = 0.1
    side_by_side: int = 500
    seed: int = 1


@dataclass(frozen=True, slots=True)
class LearningProgress:
    """A report after ``games`` games.

    ``mean_score`` and ``mean_error`` are means since the last report: the score per game, and the absolute error of the
    values of visited boards.
    """

    games: int
    mean_score: float
    mean_error: float


class Learner:
    """A learner that plays many games in lockstep; ``values``: the values of all afterstates."""

    def __init__(self, positions: Positions, plan: Plan) -> None:
        self.values: NDArray[np.float32] = np.full(len(positions.codes), plan.initial, np.float32)
        self._positions = positions
        self._plan = plan
        self._rng = np.random.default_rng(plan.seed)
        self._boards = self._draw_starts(plan.side_by_side)
        self._previous: Indices = np.full(plan.side_by_side, _NONE, np.int32)
        self._scores = np.zeros(plan.side_by_side)
        self._finished: list[float] = []
        self._errors: list[float] = []

    def run(self, reports: int) -> Iterator[LearningProgress]:
        """Play all games; yield ``reports`` progress reports, evenly spaced over the games."""
        done = 0
        for report in range(1, reports + 1):
            while done < self._plan.games * report // reports:
                done += self._step(done / self._plan.games)
            yield LearningProgress(done, float(np.mean(self._finished)), float(np.mean(self._errors)))
            self._finished, self._errors = [], []

    def _step(self, part: float) -> int:
        """Make one move in every game; return how many games ended.

        ``part``: the fraction of the games that are finished, which determines the learning rate.
        """
        plan, positions = self._plan, self._positions
        worth = positions.rewards[:, self._boards] + self.values[positions.slid[:, self._boards]]
        direction = worth.argmax(0)
        columns = np.arange(len(direction))
        is_over = worth[direction, columns] < ILLEGAL / 2
        rate = plan.first_rate + (plan.last_rate - plan.first_rate) * part
        self._update_values(np.where(is_over, 0.0, worth[direction, columns]), rate)
        self._scores += np.where(is_over, 0.0, positions.rewards[direction, self._boards])
        after = positions.slid[direction, self._boards]
        self._errors.append(float(np.abs(self.values[after] - positions.truth[after])[~is_over].mean()))
        self._previous = np.where(is_over, _NONE, after).astype(np.int32)
        self._boards = np.where(is_over, self._draw_starts(len(after)), self._drop_tiles(after))
        self._finished += self._scores[is_over].tolist()
        self._scores[is_over] = 0.0
        return int(is_over.sum())

    def _update_values(self, targets: NDArray[np.float64], rate: float) -> None:
        """Move the previous boards' values towards ``targets``; if several games share a board, the last one counts."""
        known = self._previous != _NONE
        before = self._previous[known]
        self.values[before] += rate * (targets[known] - self.values[before])

    def _drop_tiles(self, after: Indices) -> Indices:
        cell = (self._rng.random(len(after)) * self._positions.empty[after]).astype(np.int32)
        tile = (self._rng.random(len(after)) >= DROPS[0][1]).astype(np.int32)
        found: Indices = self._positions.dropped[after, cell, tile]
        return found

    def _draw_starts(self, count: int) -> Indices:
        chosen = self._rng.choice(len(self._positions.starts), count, p=self._positions.start_chances)
        found: Indices = self._positions.starts[chosen]
        return found
