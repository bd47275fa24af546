"""Read the move that a reply means.

Invariant: a reply is the bot's, so whatever the rules make of it, an illegal move is the worst that comes of it.
"""

from __future__ import annotations

from typing import Any

from arena.core.referee.protocol import Answer, Done, Unusable
from arena.games.base import Game, IllegalMove, Json


def read_move(game: Game[Any, Any, Any], state: Any, seat: int, reply: Done | Answer | Unusable) -> tuple[Any, Json]:
    """The move and how the game encodes it. Raises IllegalMove."""
    if isinstance(reply, Done):
        raise IllegalMove("it gave no answer")
    if isinstance(reply, Unusable):
        raise IllegalMove(reply.text)
    try:
        move = game.parse(state, seat, reply.value)
        return move, game.encode(move)
    except IllegalMove:
        raise
    except Exception as error:
        raise IllegalMove("it cannot be read as a move") from error
