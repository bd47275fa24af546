"""Q-learning in the world of two states, one step after the other, with everything that a step wrote down.

The rule is that of Watkins (Learning from Delayed Rewards, 1989): the value of a choice moves towards its reward and
the best value of the state after it, ``Q <- Q + learning x (reward + discount x max Q' - Q)``.

Invariant: all values begin at 0 and follow from the moves alone; what an episode does follows from its seed.
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
# An episode that begins with A 1, A 2, B 1, the moves of the course's worked sums, and soon knows the best way.
WORKED_SEED: Final = 948
_CLOSE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Rates:
    """``learning``: how far a value moves towards what a step says; ``discount``: what a point of the next step counts
    now; ``exploring``: how often any action is taken instead of the best known."""

    learning: float = 0.1
    discount: float = 0.9
    exploring: float = 0.3


@dataclass(frozen=True, slots=True)
class Lesson:
    """One step: the move, the value of its choice before, the best value of the state after it, and all values then."""

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
    def sum(self) -> str:
        """The calculation with its figures: 0.0 + 0.1 × (40 + 0.9 × 1.0 - 0.0) = 4.09."""
        rates, before, best = self.rates, _term(self.before), _term(self.best_after)
        step_size = f"{rates.learning:g} × ({self.move.reward} + {rates.discount:g} × {best} - {before})"
        return f"{written(self.before)} + {step_size} = {written(self.value)}"


def learn(values: Values, move: Move, rates: Rates, number: int = 1, explored: bool = False) -> Lesson:
    """What one move teaches somebody who knows ``values``."""
    choice = move.state, move.action
    before, best_after = values[choice], max(values[move.after, action] for action in Action)
    value = before + rates.learning * (move.reward + rates.discount * best_after - before)
    return Lesson(number, move, explored, before, best_after, {**values, choice: value}, rates)


def lessons(moves: Iterable[Move], rates: Rates) -> Iterator[Lesson]:
    """What somebody's moves teach, one after the other."""
    values = NOTHING_KNOWN
    for number, move in enumerate(moves, start=1):
        lesson = learn(values, move, rates, number)
        values = lesson.values
        yield lesson


def episode(rng: random.Random, rates: Rates, values: Values = NOTHING_KNOWN) -> Iterator[Lesson]:
    """Q-learning from the start on by itself, without an end."""
    state = START
    for number in count(1):
        action, explored = choose(values, state, rates, rng)
        lesson = learn(values, step(state, action, rng), rates, number, explored)
        state, values = lesson.move.after, lesson.values
        yield lesson


def choose(values: Values, state: State, rates: Rates, rng: random.Random) -> tuple[Action, bool]:
    """The best action known, among equals any; sometimes any at all. And whether this was such a time."""
    if rng.random() < rates.exploring:
        return rng.choice(list(Action)), True
    return rng.choice(best_actions(values, state)), False


def best_actions(values: Values, state: State) -> list[Action]:
    """The actions of the highest value in a state."""
    best = max(values[state, action] for action in Action)
    return [action for action in Action if values[state, action] == best]


def true_values(discount: float) -> Values:
    """What the values would be with all of time to learn: the only ones that agree with themselves (Bellman).

    Raises ValueError unless ``discount`` is below 1: what never ends would be worth more than any number.
    """
    if not 0 <= discount < 1:
        raise ValueError(f"a discount of {discount}")
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


def _term(value: float) -> str:
    """A value within a sum."""
    text = written(value)
    return f"({text})" if text.startswith("-") else text


def written(value: float) -> str:
    """A value with one decimal, or two where it has them: 1.0, -1.0, 4.09."""
    text = f"{value:.2f}"
    return "0.0" if float(text) == 0 else text.removesuffix("0")
