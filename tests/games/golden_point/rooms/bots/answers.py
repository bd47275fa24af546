"""Answers of bots in rooms, and the requests that they received."""

from __future__ import annotations

import struct
from base64 import b64decode
from typing import Any

from arena.core.referee.testing import ScriptedTurn
from tests.games.golden_point.rooms.bots.rooms_worker import Table
from tests.games.golden_point.rooms.program import Program


def always(*numbers: float) -> Any:
    return lambda request: ScriptedTurn(list(numbers))


def moves(table: Table, player: int = 0) -> list[dict[str, Any]]:
    """Return the move requests that a bot received."""
    return [request for request in table.started[player].requests if request["do"] == "move"]


def numbers_of(told: dict[str, Any]) -> list[float]:
    data = b64decode(told["numbers"])
    return list(struct.unpack(f"<{len(data) // 8}d", data))


def history(program: Program, room: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = program.good("/api/History", roomid=room, count=100)["rounds"]
    return found
