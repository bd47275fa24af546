"""PettingZoo environments of the arena's games, for everybody's own trainers.

    from bots import env

    env.names()                                     # the games that have one
    table = env.make(name, seed=1)                  # AEC: one agent acts at a time
    table = env.parallel(name, seats=4)             # of games whose seats answer at the same time

Keywords are settings of the game, as for ``python -m bots play --set``. What agents observe is what a bot is handed in
a match, as numbers: see ``encoding.py`` of a game. It needs the extra ``env``: ``pip install "bot-arena[env]"``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from arena.games.base import Json
from bots.env.description import described, names

if TYPE_CHECKING:
    from pettingzoo import AECEnv, ParallelEnv

__all__ = ["make", "names", "parallel", "short_settings"]


def make(
    game: str, *, seats: int | None = None, seed: int | None = None, render_mode: str | None = None, **settings: Json
) -> AECEnv[str, Any, Any]:
    """The AEC environment of a game; raises ValueError for a game, number of seats or setting that it does not have.

    ``seed``: of the first match, unless ``reset`` is given one. ``render_mode``: "ansi" for turns as text.
    """
    from pettingzoo.utils import OrderEnforcingWrapper

    from bots.env.table import Table
    from bots.env.turns import TurnEnvironment

    return OrderEnforcingWrapper(TurnEnvironment(Table(game, seats, settings), seed, render_mode))


def parallel(
    game: str, *, seats: int | None = None, seed: int | None = None, render_mode: str | None = None, **settings: Json
) -> ParallelEnv[str, Any, Any]:
    """The parallel environment of a game whose seats answer at the same time; see ``make``."""
    from bots.env.simultaneous import SimultaneousEnvironment
    from bots.env.table import Table

    if not described(game).simultaneous:
        raise ValueError(f"{game} is played in turns: use env.make({game!r}).")
    return SimultaneousEnvironment(Table(game, seats, settings), seed, render_mode)


def short_settings(game: str) -> Mapping[str, Json]:
    """Settings of a match that is short enough to learn from, for ``make`` and ``parallel``."""
    return described(game).short
