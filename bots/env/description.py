"""Descriptions of games as environments; each game defines ``ENVIRONMENT`` in its ``environment.py``.

The game's ``encoding.py`` defines how a bot's state is converted to a network's input, and what the network's outputs
mean. A trained bot includes a copy of ``encoding.py``, so that an upload keeps the encoding with which it was trained;
therefore that module may use only the standard library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from arena.games.base import Json
from arena.games.registry import PACKAGES


class Encoding(Protocol):
    """A game's ``encoding`` module. ``state`` and ``seat`` are what the arena's harness passes to bots."""

    SIZE: int

    def observation(self, state: Any, seat: Any) -> Sequence[float]:
        """Return the observation as ``SIZE`` numbers."""

    def mask(self, state: Any, seat: Any) -> Sequence[bool]:
        """Return, for each action, whether it is legal; not used with ``ContinuousActions``."""

    def answer(self, action: Any) -> Json:
        """Convert an action to the value that ``get_move`` returns.

        An action is a number or, with ``ContinuousActions``, a sequence of ``ContinuousActions.count`` floats.
        """


@dataclass(frozen=True, slots=True)
class DiscreteActions:
    """A discrete action space: one of ``size`` actions, numbered from 0."""

    size: int


@dataclass(frozen=True, slots=True)
class ContinuousActions:
    """A continuous action space: ``count`` numbers, each from ``low`` to ``high``. It has no mask."""

    count: int
    low: float
    high: float


Actions = DiscreteActions | ContinuousActions


@dataclass(frozen=True, slots=True)
class EnvironmentSpec:
    """A description of how learners observe and play one game.

    ``actions``: returns the kind of action for the game's settings. ``low`` and ``high``: bounds of every number in an
    observation. ``seats``: the default number of seats. ``short``: settings for a short training match.
    ``simultaneous``: whether seats answer at the same time, in which case there is also a parallel environment.
    ``score``: returns each seat's score in a state of the rules; the reward is the change in it. Without ``score``,
    only the end of a match is rewarded, from 1 for the best seat to -1 for the worst.
    """

    encoding: Encoding
    actions: Callable[[Any], Actions]
    low: float = 0.0
    high: float = 1.0
    seats: int = 2
    short: Mapping[str, Json] = field(default_factory=dict)
    simultaneous: bool = False
    score: Callable[[Any], Sequence[float]] | None = None


def names() -> tuple[str, ...]:
    """Return the names of the games that have an environment."""
    return tuple(game for game, one in PACKAGES.items() if find_spec(f"{one.bots}.environment"))


def load_environment(game: str) -> EnvironmentSpec:
    """Return the description of a game's environment. Raises ValueError if the game has no environment."""
    if game not in names():
        raise ValueError(f"There is no environment {game!r}. Choose from {', '.join(names())}.")
    found: EnvironmentSpec = import_module(f"{PACKAGES[game].bots}.environment").ENVIRONMENT
    return found
