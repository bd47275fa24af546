"""The positions for which the guide shows values: a few turns into a game's trial match."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from arena.core.messages import Message
from arena.games.base import IllegalMove
from arena.games.bot_packages import tutorial_steps
from arena.games.registry import GAMES, PACKAGES
from bots.sdk.adapter import Adapter
from bots.sdk.answers import Unusable

# Turns before the position, chosen so that most attributes have a value that says something.
_TURNS: Mapping[str, int] = {"reversi": 7, "golden_point": 3, "fib2584": 16, "suit_pairs": 26}
_SEED = 7


@dataclass(frozen=True, slots=True)
class ExamplePosition:
    """A state of the rules in which ``seat`` is to move, and that seat's adapter."""

    game: str
    state: Any
    seat: int
    adapter: Adapter

    @property
    def names(self) -> dict[str, Any]:
        """Return the names that examples use: a new state, under the name of ``get_move``'s parameter."""
        return {self.adapter.parameter or "state": self.adapter.state()}

    def rejection(self, value: Any) -> Message | str | None:
        """Return why the arena rejects this result of ``get_move``, None if it accepts it."""
        try:
            GAMES[self.game].parse(self.state, self.seat, self.adapter.answer(value))
        except IllegalMove as error:
            return error.message
        except Unusable as error:
            return error.code
        return None


@cache
def example_position(game: str) -> ExamplePosition:
    """Play the game's trial match with the bots of its tutorial, and stop at the position."""
    rules = GAMES[game]
    settings = rules.settings(rules.trial.settings)
    state = rules.initial(settings, rules.trial.seats, random.Random(_SEED))
    adapters = [_adapter(game, seat, state) for seat in range(rules.trial.seats)]
    bots = [_bot(game, seat, adapter) for seat, adapter in enumerate(adapters)]
    for _ in range(_TURNS.get(game, 0)):
        state = rules.apply(state, {seat: _move(game, state, seat, adapters, bots) for seat in rules.to_move(state)})
    seat = rules.to_move(state)[-1]
    adapters[seat].observe(rules.own(state, seat), rules.shared(state))
    return ExamplePosition(game, state, seat, adapters[seat])


def _adapter(game: str, seat: int, state: Any) -> Adapter:
    rules = GAMES[game]
    settings = rules.settings_json(rules.settings(rules.trial.settings))
    load = {"seat": seat, "seats": rules.trial.seats, "settings": settings, "move_seconds": 60.0}
    adapter: Adapter = import_module(PACKAGES[game].sdk).SDK.adapter(load)
    adapter.begin(rules.own(state, seat))
    return adapter


def _bot(game: str, seat: int, adapter: Adapter) -> Any:
    """Return the ``get_move`` of a step of the tutorial, a different one for each seat."""
    steps, names = tutorial_steps(game), dict[str, Any]()
    exec(steps[seat % len(steps)], names)
    return names["AIPlayer"](adapter.seat_argument).get_move if "AIPlayer" in names else names["get_move"]


def _move(game: str, state: Any, seat: int, adapters: list[Adapter], bots: list[Any]) -> Any:
    rules, adapter = GAMES[game], adapters[seat]
    adapter.observe(rules.own(state, seat), rules.shared(state))
    return rules.parse(state, seat, adapter.answer(bots[seat](adapter.state())))
