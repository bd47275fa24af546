"""Draw openings, for tournaments and the local runner.

Invariant: an opening is a value of the ``opening`` setting of a game with ``openings``, and depends only on the
arguments.
"""

from __future__ import annotations

import random
from typing import Final

from arena.games.base import Audience, SettingsError
from arena.games.registry import GAMES

BALANCED_PLIES: Final = 8  # number of moves in a shipped opening


def has_openings(game: str) -> bool:
    """Return whether matches of the game can start from positions other than the standard one."""
    return bool(GAMES[game].openings)


def opening(game: str, drawn_for: object, plies: int = BALANCED_PLIES) -> str:
    """Draw one of the shipped balanced openings, or random legal moves if another length is requested.

    Random moves that end the match are redrawn.
    """
    rng = random.Random(f"opening {drawn_for}")  # noqa: S311 - not a secret
    if plies == BALANCED_PLIES:
        return rng.choice(GAMES[game].openings)
    while True:
        drawn = _random_moves(game, rng, plies)
        try:
            GAMES[game].settings({"opening": drawn})
        except SettingsError:
            continue
        return drawn


def _random_moves(game: str, rng: random.Random, moves: int) -> str:
    rules = GAMES[game]
    state = rules.initial(rules.settings({}), rules.min_seats, rng)
    played: list[str] = []
    while len(played) < moves and rules.to_move(state):
        played.append(rng.choice(rules.view(state, Audience.EVERYBODY)["legal"]))
        seat = rules.to_move(state)[0]
        state = rules.apply(state, {seat: rules.parse(state, seat, played[-1])})
    return "".join(played)
