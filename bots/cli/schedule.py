"""Which matches a series has: who sits where, from which opening, with which seed.

Invariants: the same arguments give the same schedule everywhere. Everybody moves on one seat from match to
match; until all have sat everywhere, seed and opening stay, so that luck in the draw evens out. An opening
depends on its seed alone: the match with seed S can be played again by itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from arena.games import GAMES
from arena.games.base import Json, SettingsError

# Enough that two deterministic bots seldom meet in the same position, few enough that they still play the game.
OPENING_MOVES = 8


@dataclass(frozen=True, slots=True)
class Encounter:
    """One match: ``order[seat]`` is the bot, by its place on the command line, that sits there."""

    number: int
    order: tuple[int, ...]
    seed: int
    settings: Mapping[str, Json]


def schedule(
    game: str, bots: int, matches: int, seed: int, settings: Mapping[str, Json], opening_moves: int
) -> Iterator[Encounter]:
    """The matches, numbered from 1. ``opening_moves`` 0: all from the usual start."""
    draws = opening_moves > 0 and has_openings(game) and "opening" not in settings
    for index in range(matches):
        lap, shift = divmod(index, bots)
        opened = {"opening": opening(game, seed + lap, opening_moves)} if draws else {}
        order = tuple((seat + shift) % bots for seat in range(bots))
        yield Encounter(index + 1, order, seed + lap, {**settings, **opened})


def has_openings(game: str) -> bool:
    """Whether matches of the game can begin elsewhere than at the usual start."""
    rules = GAMES[game]
    return "opening" in rules.settings_json(rules.settings({}))


def opening(game: str, seed: int, moves: int) -> str:
    """So many random legal moves, for the setting ``opening``; one that ends the match is drawn again."""
    rng = random.Random(f"opening {seed}")  # noqa: S311 - not a secret
    while True:
        drawn = _random_moves(game, rng, moves)
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
        played.append(rng.choice(rules.view(state)["legal"]))
        seat = rules.to_move(state)[0]
        state = rules.apply(state, {seat: rules.parse(state, seat, played[-1])})
    return "".join(played)
