"""PettingZoo environments for the arena's games, for use with any training library.

    from bots import env

    env.names()                                     # the games that have an environment
    environment = env.make(name, seed=1)            # AEC: one agent acts at a time
    environment = env.parallel(name, seats=4)       # for games whose seats answer at the same time

Keyword arguments are game settings, as for ``python -m bots play --set``. Observations are the bots' states encoded as
numbers: see a game's ``encoding.py``. Requires the extra ``env``: ``pip install "bot-arena[env]"``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from arena.games.base import Json
from bots.env.description import load_environment, names

if TYPE_CHECKING:
    from pettingzoo import AECEnv, ParallelEnv

__all__ = ["make", "names", "parallel", "short_settings"]


def make(
    game: str, *, seats: int | None = None, seed: int | None = None, render_mode: str | None = None, **settings: Json
) -> AECEnv[str, Any, Any]:
    """Return the AEC environment for a game. Raises ValueError for an unknown game, number of seats or setting.

    ``seed``: seed for the first match, unless one is passed to ``reset``. ``render_mode``: "ansi" to render turns as
    text.
    """
    from pettingzoo.utils import OrderEnforcingWrapper

    from bots.env.matches import MatchSequence
    from bots.env.turns import TurnEnvironment

    return OrderEnforcingWrapper(TurnEnvironment(MatchSequence(game, seats, settings), seed, render_mode))


def parallel(
    game: str, *, seats: int | None = None, seed: int | None = None, render_mode: str | None = None, **settings: Json
) -> ParallelEnv[str, Any, Any]:
    """Return the parallel environment for a game with simultaneous moves; it takes the same arguments as ``make``."""
    from bots.env.matches import MatchSequence
    from bots.env.simultaneous import SimultaneousEnvironment

    if not load_environment(game).simultaneous:
        raise ValueError(f"{game} is played in turns: use env.make({game!r}).")
    return SimultaneousEnvironment(MatchSequence(game, seats, settings), seed, render_mode)


def short_settings(game: str) -> Mapping[str, Json]:
    """Return settings for short training matches, to be passed to ``make`` and ``parallel``."""
    return load_environment(game).short
