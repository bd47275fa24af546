"""Adapter for Reversi: bots get the miniAlphaGo course's ``Board``, a new one every turn.

A bot that imports its own ``board.py`` gets objects of *its* ``Board``, because the bot was written for that version of
the course's file or extends it. If that class is not compatible with the course's (a constructor without arguments, and
a ``_board`` of 8 lists of 8 squares), the bot gets the arena's class.

If the player has an attribute ``seconds_per_move``, it is set to the match's time limit per move.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

from bots.reversi.sdk.board import Board
from bots.sdk import answers


class ReversiAdapter:
    """The adapter for ``get_move(board=...)``, which returns "D3", or "Q" to resign."""

    parameter: str | None = "board"
    always_passes_seat = True
    function: str | None = None

    def __init__(self, load: Mapping[str, Any]) -> None:
        self._color = ""
        self._cells = ""
        self._seconds: float = load["move_seconds"]
        self._make: Callable[[], Any] = Board

    @property
    def seat_argument(self) -> str:
        return self._color

    def begin(self, own: Mapping[str, Any]) -> None:
        self._color = own["color"]

    def prepare(self, player: Any) -> None:
        # a class with __slots__ or a property works without the attribute
        with contextlib.suppress(AttributeError, TypeError):
            player.color = self._color  # as the course's game sets it
            if hasattr(player, "seconds_per_move"):
                player.seconds_per_move = self._seconds
        self._make = own_board_class() or Board

    def observe(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        self._cells = shared["board"]

    def state(self) -> Any:
        cells = self._cells
        board = self._make()
        board._board = [list(cells[start : start + 8]) for start in range(0, 64, 8)]
        return board

    def answer(self, value: Any) -> Any:
        return answers.to_json_values(value)


def own_board_class() -> Callable[[], Any] | None:
    """Return the ``Board`` class of the bot's own ``board.py``; None unless the bot has imported a compatible one."""
    folder = getattr(sys.modules.get("main"), "__file__", None)
    for name in ("board", "Board"):
        module = sys.modules.get(name)
        path = getattr(module, "__file__", None)
        if not isinstance(path, str) or not isinstance(folder, str):
            continue
        found = getattr(module, "Board", None)
        beside = os.path.dirname(path) == os.path.dirname(folder)  # noqa: PTH120 - bots may poison pathlib
        if beside and isinstance(found, type) and _usable(found):
            return found
    return None


def _usable(found: type) -> bool:
    try:
        rows = found()._board
        return len(rows) == 8 and all(isinstance(row, list) and len(row) == 8 for row in rows)
    except Exception:  # noqa: BLE001 - the bot's own class may raise anything
        return False
