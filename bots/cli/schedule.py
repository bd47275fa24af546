"""Schedule matches: seats, openings and seeds.

Invariants: the same arguments give the same schedule everywhere. The seats rotate by one from match to match; seed and
opening remain the same until all bots have played every seat, so that luck evens out. If seats are independent, the
same match with rotated seats would be a repetition, so each match has its own seed. An opening depends only on its
seed, so the match with seed S can be replayed on its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from arena.games.base import Json
from arena.games.openings import draw_opening, has_openings
from arena.games.registry import GAMES


@dataclass(frozen=True, slots=True)
class ScheduledMatch:
    """A scheduled match. ``order[seat]``: the command-line index of the bot in that seat."""

    number: int
    order: tuple[int, ...]
    seed: int
    settings: Mapping[str, Json]


def schedule(
    game: str, bots: int, matches: int, seed: int, settings: Mapping[str, Json], opening_moves: int
) -> Iterator[ScheduledMatch]:
    """Yield the matches, numbered from 1. If ``opening_moves`` is 0, all start from the initial position."""
    draws = opening_moves > 0 and has_openings(game) and "opening" not in settings
    seats = 1 if GAMES[game].independent_seats else bots
    for index in range(matches):
        lap, shift = index // seats, index % bots
        opened = {"opening": draw_opening(game, seed + lap, opening_moves)} if draws else {}
        order = tuple((seat + shift) % bots for seat in range(bots))
        yield ScheduledMatch(index + 1, order, seed + lap, {**settings, **opened})
