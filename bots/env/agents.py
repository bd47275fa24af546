"""Shared parts of both kinds of environment: agents by name, their spaces, and the seeds of matches."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from bots.cli.terminal import draw_turn
from bots.env.description import Choice, Numbers
from bots.env.table import Table

Observation = Any  # an array, or {"observation": array, "action_mask": array} for discrete actions


class Agents:
    """A table's seats as agents named ``player_0`` and so on. ``seed``: seed for the first match."""

    def __init__(self, table: Table, seed: int | None) -> None:
        self.table = table
        self.names = [f"player_{seat}" for seat in range(table.seats)]
        self.seats = {name: seat for seat, name in enumerate(self.names)}
        self.metadata = {"name": f"{table.game.name}_v0", "render_modes": ["ansi"]}
        # A space has its own random generator, so every agent has its own spaces.
        self.action_spaces = {name: _action_space(table) for name in self.names}
        self.observation_spaces = {name: _observation_space(table) for name in self.names}
        self._next_seed = seed
        self._seeds = random.Random(seed)  # noqa: S311 - a game

    def begin(self, seed: int | None) -> None:
        """Begin the match with this seed; without one, the seed is derived from the previous one."""
        if seed is not None:
            self._next_seed, self._seeds = seed, random.Random(seed)  # noqa: S311 - a game
        chosen, self._next_seed = self._next_seed, None
        self.table.begin(self._seeds.getrandbits(53) if chosen is None else chosen)

    def observe(self, name: str) -> Observation:
        """Return an agent's current observation, an element of its observation space."""
        seat = self.seats[name]
        seen = self.table.observation(seat)
        if isinstance(self.table.actions, Choice):
            return {"observation": seen, "action_mask": self.table.mask(seat)}
        return seen

    def checked(self, name: str, action: Any) -> Any:
        """Convert an action for the table. Raises ValueError for malformed actions, not for illegal ones."""
        if isinstance(self.table.actions, Numbers):
            numbers = _doubles(action)
            if numbers.shape == (self.table.actions.count,) and np.isfinite(numbers).all():
                return numbers
        elif self.action_spaces[name].contains(action):
            return int(action)
        raise ValueError(
            f"{action!r} is not a valid action for {name}. The action space is {self.action_spaces[name]}."
        )

    def infos(self, names: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Return the info for each agent.

        ``starts``: how often its bot has been started; a policy with memory must reset when this increases.
        """
        return {name: {"starts": self.table.starts} for name in names}

    def is_out(self, name: str) -> bool:
        """Return whether an agent is done, because the match is over or its action was illegal."""
        return self.table.outcome is not None or self.seats[name] in self.table.out

    def drawn(self) -> str:
        """Return the last turn as text, including hidden information."""
        return draw_turn(self.table.game.name, self.table.last_turn(), self.names)


def _doubles(action: Any) -> NDArray[np.float64]:
    """Return the action as doubles, or an empty array if it is not numeric."""
    try:
        return np.asarray(action, dtype=np.float64)
    except (TypeError, ValueError):
        return np.empty(0)


def _action_space(table: Table) -> spaces.Space[Any]:
    one = table.actions
    if isinstance(one, Choice):
        return spaces.Discrete(one.size)
    return spaces.Box(one.low, one.high, (one.count,), np.float64)


def _observation_space(table: Table) -> spaces.Space[Any]:
    one = table.environment
    seen = spaces.Box(one.low, one.high, (one.encoding.SIZE,), np.float32)
    if not isinstance(table.actions, Choice):
        return seen
    return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (table.actions.size,), np.int8)})
