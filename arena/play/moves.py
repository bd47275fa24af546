"""People's moves: parsing answers, and displaying moves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from arena.core.referee import messages, protocol
from arena.core.referee.conversation import read_move
from arena.games.base import AnyGame, IllegalMove, Json
from arena.games.site import HumanPlay

MAX_MOVE_CHARACTERS: Final = 4_000


@dataclass(frozen=True, slots=True)
class ShownMove:
    """A move in the reader's language."""

    answer: Json
    label: str

    @property
    def value(self) -> str:
        """Return the value that the move's button sends."""
        return json.dumps(self.answer)

    def to_json(self) -> dict[str, Json]:
        return {"answer": self.answer, "label": self.label}


def possible_moves(people: HumanPlay, view: Mapping[str, Json], seat: int) -> tuple[ShownMove, ...]:
    """Return a seat's possible moves in this view; empty if the game does not list them."""
    return tuple(ShownMove(move.answer, str(move.label)) for move in people.moves(view, seat))


def labelled_move(answer: Json, moves: Iterable[ShownMove]) -> ShownMove:
    """Return the move with this answer; if ``moves`` has none, create one whose label is the answer itself."""
    plain = ShownMove(answer, answer if isinstance(answer, str) else json.dumps(answer))
    return next((move for move in moves if move.answer == answer), plain)


def parse_move(text: str, game: AnyGame, state: Any, seat: int) -> Json:
    """Parse a person's answer, and return the move as the game's rules encode it.

    ``text`` is JSON sent by a button, or typed text. Raises IllegalMove.
    """
    reply = protocol.Answer("", _parse_value(text.strip()))
    encoded = read_move(game, state, seat, reply)[1]
    if encoded is None:
        raise IllegalMove(messages.NO_ANSWER())
    return encoded


def _parse_value(text: str) -> Json:
    """Parse an answer; the size limit is the same as for bots' answers. Raises IllegalMove."""
    if len(text) > MAX_MOVE_CHARACTERS:
        raise IllegalMove(messages.UNREADABLE())
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = text
    try:
        reply = protocol.decode(json.dumps({"t": "answer", "nonce": "", "value": value}).encode())
    except protocol.BadMessage:
        reply = None
    if not isinstance(reply, protocol.Answer):
        raise IllegalMove(messages.UNREADABLE())
    return reply.value
