"""Pure rules, one module a game, and the table of all games."""

from __future__ import annotations

from typing import Any, Final

from arena.games.base import Game
from arena.games.golden_point.rules import GoldenPointGame
from arena.games.reversi.rules import ReversiGame

GAMES: Final[dict[str, Game[Any, Any, Any]]] = {
    ReversiGame.name: ReversiGame(),
    GoldenPointGame.name: GoldenPointGame(),
}


def has_tables(game: str) -> bool:
    """Whether more than two can sit down, so that second place is no defeat."""
    return GAMES[game].max_seats > 2
