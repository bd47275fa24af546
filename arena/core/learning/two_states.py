"""The two-state world that the course uses to explain reinforcement learning: two of its four choices are traps.

Staying in A pays 10 a move. Leaving costs 10, but B pays 40 and usually leads back, so alternating between the two pays
15 a move on average. Players are not told this.

Invariant: a step draws exactly one random number, so the same seed and the same actions give the same moves.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final


class State(StrEnum):
    A = "A"  # the initial state
    B = "B"

    @property
    def other(self) -> State:
        return State.B if self is State.A else State.A


class Action(IntEnum):
    ONE = 1
    TWO = 2


Choice = tuple[State, Action]


@dataclass(frozen=True, slots=True)
class Transition:
    """The reward of a choice, and the probabilities of its next states.

    The choice leads to ``leads_to`` with probability ``likely``, otherwise to the other state.
    """

    reward: int
    leads_to: State
    likely: float

    @property
    def unlikely(self) -> float:
        return 1 - self.likely


START: Final = State.A
RULES: Final[Mapping[Choice, Transition]] = {
    (State.A, Action.ONE): Transition(10, State.A, 1.0),
    (State.A, Action.TWO): Transition(-10, State.B, 0.8),
    (State.B, Action.ONE): Transition(40, State.A, 0.8),
    (State.B, Action.TWO): Transition(20, State.A, 0.8),
}
BEST_MEAN: Final = 15.0  # mean points per move when choosing 2 in A and 1 in B: equal time in both states
STAYING_MEAN: Final = 10.0  # mean points per move when choosing 1 in A


@dataclass(frozen=True, slots=True)
class Move:
    """One action taken, and its effect."""

    state: State
    action: Action
    reward: int
    after: State


def step(state: State, action: Action, rng: random.Random) -> Move:
    rule = RULES[state, action]
    after = rule.leads_to if rng.random() < rule.likely else rule.leads_to.other
    return Move(state, action, rule.reward, after)


def simulate(actions: Iterable[Action], seed: int) -> list[Move]:
    """Return the moves that result from these actions, starting in ``START``."""
    rng = random.Random(seed)  # noqa: S311 - a game
    moves: list[Move] = []
    for action in actions:
        moves.append(step(moves[-1].after if moves else START, action, rng))
    return moves
