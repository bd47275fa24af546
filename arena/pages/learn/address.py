"""The state of the /learn/ page, encoded in its URL.

Invariant: the page depends only on its URL (the moves made in a world, the step of an episode), so it needs no session,
supports the back button, and can be shared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from arena.core.learning.q_learning import WORKED_SEED
from arena.core.learning.two_states import Action

MAX_MOVES: Final = 40
LAST_STEP: Final = 600
STEP_SIZES: Final = (10, 100)
_SEEDS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class LearnState:
    """The state of the /learn/ page.

    ``world``: seed of the world in which the ``actions`` were taken; ``seed``: seed of the episode that is explained;
    ``step``: the displayed step of that episode.
    """

    world: int
    actions: tuple[Action, ...] = ()
    seed: int = WORKED_SEED
    step: int = 0

    @property
    def action_digits(self) -> str:
        """Return the actions as digits."""
        return "".join(str(int(action)) for action in self.actions)

    @property
    def query(self) -> str:
        return urlencode({"world": self.world, "played": self.action_digits, "seed": self.seed, "step": self.step})

    @property
    def restarted_query(self) -> str:
        """Return the query string for the same step, with a new world and no moves made."""
        return urlencode({"seed": self.seed, "step": self.step})


def parse_state(query: Mapping[str, str], new_world: Callable[[int], int]) -> LearnState:
    """Parse a query string; missing or invalid parts get their default values.

    ``new_world``: returns the seed of a new world, below a limit.
    """
    world = _parse_number(query, "world", _SEEDS, -1)
    taken = query.get("played", "") + query.get("action", "")
    actions = tuple(Action(int(digit)) for digit in taken if digit in "12")[:MAX_MOVES]
    if world < 0:
        world, actions = new_world(_SEEDS), ()
    seed = _parse_number(query, "seed", _SEEDS, WORKED_SEED)
    return LearnState(world, actions, seed, _parse_number(query, "step", LAST_STEP, 0))


def _parse_number(query: Mapping[str, str], name: str, most: int, default: int) -> int:
    text = query.get(name, "")
    return min(int(text), most) if text.isascii() and text.isdigit() and len(text) < 10 else default


def step_links(address: LearnState) -> dict[str, str]:
    """Map each step link to its query string; "" if it leads to the current step or outside the episode."""
    steps = {"first": 0, "back": address.step - 1, "next": address.step + 1, "last": LAST_STEP}
    steps |= {f"next_{size}": min(address.step + size, LAST_STEP) for size in STEP_SIZES}
    return {
        name: replace(address, step=step).query if step != address.step and 0 <= step <= LAST_STEP else ""
        for name, step in steps.items()
    }
