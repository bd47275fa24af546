"""Turns as text for the terminal, as their game draws them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.games.base import Json
from bots.cli.terminal import terminal


def draw(game: str, turn: Mapping[str, Json], names: Sequence[str]) -> str:
    """The turn, with the names of the seats; a game without a drawing of its own shows its moves."""
    return terminal(game).draw(turn, names)
