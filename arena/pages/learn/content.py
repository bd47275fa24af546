"""The content of the /learn/ page: the reader's own moves, and the state of Q-learning at one step of an episode."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from arena.core.learning.q_learning import (
    NOTHING_KNOWN,
    Lesson,
    Rates,
    Values,
    best_actions,
    episode,
    format_value,
    lessons,
    true_values,
)
from arena.core.learning.two_states import (
    BEST_MEAN,
    RULES,
    START,
    STAYING_MEAN,
    Action,
    Move,
    State,
    Transition,
    simulate,
)
from arena.pages.learn.address import LAST_STEP, MAX_MOVES, LearnState, step_links
from arena.pages.learn.curves import HIGHEST, LOWEST, QValueCurve, curves

RATES: Final = Rates()
_LOGGED: Final = 5  # number of steps listed below the table


@dataclass(frozen=True, slots=True)
class ActionValue:
    """One value of the Q-table.

    ``is_best``: whether it is the best in its state; ``is_new``: whether it changed in this step.
    """

    action: Action
    value: str
    is_best: bool
    is_new: bool


@dataclass(frozen=True, slots=True)
class StateRow:
    """A state, with the values of its actions."""

    state: State
    cells: tuple[ActionValue, ...]


@dataclass(frozen=True, slots=True)
class OwnMoves:
    """The reader's own moves, newest first, and what Q-learning would have learned from them."""

    state: State
    moves: tuple[tuple[int, Move], ...]
    most: int
    points: int
    rows: tuple[StateRow, ...]

    @property
    def last(self) -> Move | None:
        return self.moves[0][1] if self.moves else None

    @property
    def is_over(self) -> bool:
        return len(self.moves) == self.most

    @property
    def mean(self) -> str:
        return format_value(self.points / max(len(self.moves), 1))


@dataclass(frozen=True, slots=True)
class WatchedEpisode:
    """The state of Q-learning after one step of its episode; ``log``: the latest updates, newest first."""

    step: int
    last_step: int
    state: State
    points: int
    rows: tuple[StateRow, ...]
    log: tuple[Lesson, ...]
    step_links: Mapping[str, str]
    curves: tuple[QValueCurve, ...]
    lowest: int = LOWEST
    highest: int = HIGHEST

    @property
    def lesson(self) -> Lesson | None:
        return self.log[0] if self.log else None


@dataclass(frozen=True, slots=True)
class LearnPage:
    """The data for the /learn/ page."""

    address: LearnState
    played: OwnMoves
    watched: WatchedEpisode
    by_hand: tuple[Lesson, ...]
    true_rows: tuple[StateRow, ...]
    rules: tuple[tuple[State, Action, Transition], ...]
    rates: Rates = RATES
    best_mean: float = BEST_MEAN
    staying_mean: float = STAYING_MEAN

    @property
    def is_past_worked_examples(self) -> bool:
        """Return whether the episode is past the worked examples.

        Until then, the page keeps them collapsed, because they reveal the rules of the world.
        """
        return self.watched.step >= len(self.by_hand)


def learn_page(address: LearnState) -> LearnPage:
    return LearnPage(
        address,
        _own_moves(address),
        _watched_episode(address),
        example_lessons(),
        _state_rows(true_values(RATES.discount)),
        tuple((state, action, rule) for (state, action), rule in RULES.items()),
    )


def example_lessons() -> tuple[Lesson, ...]:
    """Return three example updates: one from zero, one after a loss, and one that uses a known state's value."""
    moves = (
        Move(State.A, Action.ONE, 10, State.A),
        Move(State.A, Action.TWO, -10, State.B),
        Move(State.B, Action.ONE, 40, State.A),
    )
    return tuple(lessons(moves, RATES))


def _own_moves(address: LearnState) -> OwnMoves:
    moves = simulate(address.actions, address.world)
    taught = list(lessons(moves, RATES))
    return OwnMoves(
        state=moves[-1].after if moves else START,
        moves=tuple(enumerate(moves, start=1))[::-1],
        most=MAX_MOVES,
        points=sum(move.reward for move in moves),
        rows=_state_rows(taught[-1].values if taught else NOTHING_KNOWN, taught[-1] if taught else None),
    )


def _watched_episode(address: LearnState) -> WatchedEpisode:
    rng = random.Random(address.seed)  # noqa: S311 - a game
    taught = list(islice(episode(rng, RATES), address.step))
    last = taught[-1] if taught else None
    return WatchedEpisode(
        step=address.step,
        last_step=LAST_STEP,
        state=last.move.after if last else START,
        points=sum(lesson.move.reward for lesson in taught),
        rows=_state_rows(last.values if last else NOTHING_KNOWN, last),
        log=tuple(reversed(taught[-_LOGGED:])),
        step_links=step_links(address),
        curves=curves(taught, LAST_STEP, true_values(RATES.discount)),
    )


def _state_rows(values: Values, lesson: Lesson | None = None) -> tuple[StateRow, ...]:
    return tuple(
        StateRow(
            state,
            tuple(
                ActionValue(
                    action,
                    format_value(values[state, action]),
                    is_best=[action] == best_actions(values, state),
                    is_new=lesson is not None and lesson.choice == (state, action),
                )
                for action in Action
            ),
        )
        for state in State
    )
