"""Run Q-learning in the two-state world step by step, and show the calculation of each step.

The update rule is Watkins' (Learning from Delayed Rewards, 1989): the value of a choice moves towards its reward plus
the discounted best value of the next state, ``Q <- Q + learning x (reward + discount x max Q' - Q)``.

Invariant: all values start at 0 and depend only on the moves; an episode depends only on its seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Final

from arena.core.learning.two_states import RULES, START, Action, Choice, Move, State, step

Values = Mapping[Choice, float]

NOTHING_KNOWN: Final[Values] = dict.fromkeys(RULES, 0.0)
# The seed of an episode that begins with A 1, A 2 and B 1, as in the course's worked examples, and soon finds the best
# policy.
WORKED_SEED: Final = 948
_CLOSE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Rates:
    """The learning rate, the discount factor, and ``exploration``: the probability of choosing an action at random."""

    learning: float = 0.1
    discount: float = 0.9
    exploration: float = 0.3


@dataclass(frozen=True, slots=True)
class Lesson:
    """One update: the move, the choice's old value, the next state's best value, and all values afterwards."""

    number: int  # from 1
    move: Move
    explored: bool
    before: float
    best_after: float
    values: Values
    rates: Rates

    @property
    def choice(self) -> Choice:
        return self.move.state, self.move.action

    @property
    def value(self) -> float:
        return self.values[self.choice]

    @property
    def calculation(self) -> str:
        """Return the calculation with the numbers filled in: 0.0 + 0.1 × (40 + 0.9 × 1.0 - 0.0) = 4.09."""
        rates, before, best = self.rates, _format_term(self.before), _format_term(self.best_after)
        step_size = f"{rates.learning:g} × ({self.move.reward} + {rates.discount:g} × {best} - {before})"
        return f"{format_value(self.before)} + {step_size} = {format_value(self.value)}"


def learn(values: Values, move: Move, rates: Rates, number: int = 1, explored: bool = False) -> Lesson:
    """Return the Q-learning update that one move makes to these ``values``.

    ``number``: the number of the move; ``explored``: whether its action was chosen at random.
    """
    choice = move.state, move.action
    before, best_after = values[choice], max(values[move.after, action] for action in Action)
    value = before + rates.learning * (move.reward + rates.discount * best_after - before)
    return Lesson(number, move, explored, before, best_after, {**values, choice: value}, rates)


def lessons(moves: Iterable[Move], rates: Rates) -> Iterator[Lesson]:
    """Yield the Q-learning updates that these moves make, one after the other."""
    values = NOTHING_KNOWN
    for number, move in enumerate(moves, start=1):
        lesson = learn(values, move, rates, number)
        values = lesson.values
        yield lesson


def episode(rng: random.Random, rates: Rates, values: Values = NOTHING_KNOWN) -> Iterator[Lesson]:
    """Yield the updates of an endless episode of Q-learning, which begins in ``START``."""
    state = START
    for number in count(1):
        action, explored = choose_action(values, state, rates, rng)
        lesson = learn(values, step(state, action, rng), rates, number, explored)
        state, values = lesson.move.after, lesson.values
        yield lesson


def choose_action(values: Values, state: State, rates: Rates, rng: random.Random) -> tuple[Action, bool]:
    """Return an action chosen epsilon-greedily, and whether the choice was exploratory.

    With probability ``rates.exploration``, the action is random; otherwise it is the one with the highest value. Ties
    are broken at random.
    """
    if rng.random() < rates.exploration:
        return rng.choice(list(Action)), True
    return rng.choice(best_actions(values, state)), False


def best_actions(values: Values, state: State) -> list[Action]:
    """Return the actions with the highest value in a state."""
    best = max(values[state, action] for action in Action)
    return [action for action in Action if values[state, action] == best]


def true_values(discount: float) -> Values:
    """Return the exact values, which satisfy the Bellman equation.

    Raises ValueError unless ``discount`` is below 1: otherwise values would be infinite.
    """
    if not 0 <= discount < 1:
        raise ValueError(f"the discount must be at least 0 and below 1, not {discount}")
    values, change = NOTHING_KNOWN, 1.0
    while change > _CLOSE:
        best = {state: max(values[state, action] for action in Action) for state in State}
        following = {
            choice: rule.reward
            + discount * (rule.likely * best[rule.leads_to] + (1 - rule.likely) * best[rule.leads_to.other])
            for choice, rule in RULES.items()
        }
        values, change = following, max(abs(following[choice] - values[choice]) for choice in RULES)
    return values


def _format_term(value: float) -> str:
    """Format a term of a sum, with parentheses if it is negative."""
    text = format_value(value)
    return f"({text})" if text.startswith("-") else text


def format_value(value: float) -> str:
    """Format a value with one decimal place, or two if needed: 1.0, -1.0, 4.09."""
    text = f"{value:.2f}"
    return "0.0" if float(text) == 0 else text.removesuffix("0")
