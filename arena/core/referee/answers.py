"""Read the move that a reply means.

Invariant: a reply is the bot's, so whatever the rules make of it, an illegal move is the worst that comes of it.
"""

from __future__ import annotations

from typing import Any

from arena.core.referee import messages
from arena.core.referee.protocol import Answer, Done, Unusable
from arena.games.base import Game, IllegalMove, Json


def read_move(game: Game[Any, Any, Any], state: Any, seat: int, reply: Done | Answer | Unusable) -> tuple[Any, Json]:
    """The move and how the game encodes it. Raises IllegalMove."""
    if isinstance(reply, Done):
        raise IllegalMove(messages.NO_ANSWER())
    if isinstance(reply, Unusable):
        raise IllegalMove(messages.reported(reply.code, reply.text, reply.parameters))
    try:
        move = game.parse(state, seat, reply.value)
        return move, game.encode(move)
    except IllegalMove:
        raise
    except Exception as error:
        raise IllegalMove(messages.UNREADABLE()) from error
