"""What makes a game an environment for learners: each game says it once, as ``ENVIRONMENT`` in its ``environment.py``.

Beside it stands ``encoding.py``: what a network sees of the state that a bot is handed, and what its outputs mean. It
needs nothing but the standard library, because a trained bot carries a copy of it: an upload goes on seeing what it was
trained on, whatever becomes of this one.
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
    """The module ``encoding`` of a game. ``state`` and ``seat`` are what a bot is handed by the arena's harness."""

    SIZE: int

    def observation(self, state: Any, seat: Any) -> Sequence[float]:
        """``SIZE`` numbers."""

    def mask(self, state: Any, seat: Any) -> Sequence[bool]:
        """For each action whether it is legal; of no use where the actions are ``Numbers``."""

    def answer(self, action: Any) -> Json:
        """What ``get_move`` returns to play an action: its number, or a sequence of ``Numbers.count`` floats."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of ``size`` actions, numbered from 0."""

    size: int


@dataclass(frozen=True, slots=True)
class Numbers:
    """``count`` numbers, each from ``low`` to ``high``; nothing is masked."""

    count: int
    low: float
    high: float


Actions = Choice | Numbers


@dataclass(frozen=True, slots=True)
class Environment:
    """How learners see and play one game.

    ``actions``: from the game's settings. ``low`` and ``high`` bound every number of an observation. ``seats``: how
    many play unless somebody says otherwise. ``short``: settings of a match that is short enough to learn from.
    ``simultaneous``: whether seats answer at the same time, so that there is a parallel environment as well.
    ``score``: of each seat in a state of the rules; the reward is its change. Without it only the end of a match is
    rewarded, from 1 for the best seat to -1 for the worst.
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
    """The games that have an environment."""
    return tuple(game for game, one in PACKAGES.items() if find_spec(f"{one.bots}.environment"))


def described(game: str) -> Environment:
    """The description of a game's environment; raises ValueError where there is none."""
    if game not in names():
        raise ValueError(f"There is no environment {game!r}; there are {', '.join(names())}.")
    found: Environment = import_module(f"{PACKAGES[game].bots}.environment").ENVIRONMENT
    return found
