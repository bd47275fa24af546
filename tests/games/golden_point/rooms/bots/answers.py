"""Script the answers of bots in rooms, and read the requests that the bots received."""

from __future__ import annotations

import struct
from base64 import b64decode
from typing import Any

from arena.core.referee.testing import ScriptedTurn
from tests.games.golden_point.rooms.bots.rooms_worker import RoomsWorker
from tests.games.golden_point.rooms.program import Program


def answer_always(*numbers: float) -> Any:
    return lambda request: ScriptedTurn(list(numbers))


def move_requests(worker: RoomsWorker, player: int = 0) -> list[dict[str, Any]]:
    """Return the move requests received by a bot; ``player`` is its index in the order in which bots were started."""
    return [request for request in worker.started[player].requests if request["do"] == "move"]


def unpack_numbers(played: dict[str, Any]) -> list[float]:
    data = b64decode(played["numbers"])
    return list(struct.unpack(f"<{len(data) // 8}d", data))


def round_history(program: Program, room: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = program.get_ok("/api/History", roomid=room, count=100)["rounds"]
    return found
