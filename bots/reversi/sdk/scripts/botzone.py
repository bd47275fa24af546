"""Reversi on Botzone: https://wiki.botzone.org.cn/index.php?title=Reversi and ?title=Bot

A run reads one line of JSON, ``{"requests": [...], "responses": [...]}``, with squares as ``{"x": row, "y": column}``;
-1 means a pass, and is also black's first request. The run prints ``{"response": {"x", "y"}}`` on one line; ``debug``
is for the log; ``data`` and ``globaldata`` are passed to the next run. After printing ``KEEP_RUNNING``, the script may
continue reading: each further request then arrives alone, on its own line. The simple interaction uses numbers instead:
the number of turns, then alternating requests and responses, each as ``x y`` on its own line; the answer is one such
line.

On Botzone, a side that cannot move is asked and has to pass; the arena does not ask a side that cannot move. A script
that keeps running therefore receives the requests that it missed together with the one that it has to answer, so that
it sees the same requests as on Botzone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from bots.reversi.sdk.board import Square
from bots.reversi.sdk.scripts.moves import COLORS, ReversiMoves
from bots.sdk import answers
from bots.sdk.scripts.dialect import Dialect
from bots.sdk.scripts.output import last_answer

KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
_PASS = -1, -1
# Bound before any line of a bot runs, because a bot may replace them by accident.
_encode, _decode = json.JSONEncoder().encode, json.JSONDecoder().decode
_EXAMPLE = '{"response": {"x": 2, "y": 3}}'


class Botzone(Dialect):
    """The dialect of scripts that use Botzone's JSON interaction."""

    code: ClassVar[str] = "bot.reversi.botzone"
    stays: ClassVar[bool] = False

    def __init__(self, load: Mapping[str, Any], source: str) -> None:
        self._moves = ReversiMoves()
        self._color = ""
        self._sent = 0  # requests sent to a script that keeps running
        self._kept: dict[str, Any] = {}  # data to be passed to the script's next run

    def begin(self, own: Mapping[str, Any]) -> None:
        self._color = own["color"]

    def observe(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        self._moves.observe(shared, self._color)

    def _requests(self) -> list[Square]:
        """Return the opponent's plies; black's first request has no ply."""
        first = COLORS.index(self._color)
        plies = [square or _PASS for square in self._moves.plies[1 - first :: 2]]
        return plies if first else [_PASS, *plies]

    def _responses(self) -> list[Square]:
        return [square or _PASS for square in self._moves.plies[COLORS.index(self._color) :: 2]]

    def first_input(self) -> str:
        requests = self._requests()
        self._sent = len(requests)
        whole = {
            "requests": [_square_json(square) for square in requests],
            "responses": [_square_json(square) for square in self._responses()],
            **self._kept,
        }
        return _encode(whole) + "\n"

    def next_input(self) -> str:
        new, self._sent = self._requests()[self._sent :], len(self._requests())
        return "".join(_encode(_square_json(square)) + "\n" for square in new)

    def waits(self, printed: str) -> bool:
        return KEEP_RUNNING in printed

    def answer(self, printed: str) -> Any:
        """Return the square from the last line that is a JSON object with a ``response``."""
        whole = last_answer(printed, _response_in, _EXAMPLE)
        self._kept = {name: whole[name] for name in ("data", "globaldata") if whole.get(name) is not None}
        response = whole["response"]
        if not isinstance(response, dict):
            raise answers.Unusable("bot.reversi.botzone.response", shown=answers.sanitize_text(repr(response), 60))
        return self._square(response.get("x"), response.get("y"))

    def _square(self, x: Any, y: Any) -> str:
        """Return the name of the square. Raises Unusable."""
        if type(x) is not int or type(y) is not int:
            shown = answers.sanitize_text(f"{x!r} and {y!r}", 60)
            raise answers.Unusable("bot.reversi.botzone.numbers", shown=shown)
        if (x, y) == _PASS:
            legal = ", ".join(sorted(self._moves.board.get_legal_actions(self._color)))
            raise answers.Unusable("bot.reversi.botzone.passed", squares=legal)
        name = self._moves.board.num_board((x, y))
        if name is None:
            raise answers.Unusable(
                "bot.reversi.botzone.outside", x=answers.sanitize_text(str(x), 30), y=answers.sanitize_text(str(y), 30)
            )
        return name


class BotzoneSimple(Botzone):
    """The dialect of scripts that use Botzone's simple interaction, with numbers instead of JSON."""

    code: ClassVar[str] = "bot.reversi.botzone_simple"

    def first_input(self) -> str:
        requests, responses = self._requests(), self._responses()
        self._sent = len(requests)
        lines = [f"{len(requests)}"]
        for index, request in enumerate(requests):
            lines.append("{} {}".format(*request))
            lines += ["{} {}".format(*responses[index])] if index < len(responses) else []
        return "\n".join(lines) + "\n"

    def next_input(self) -> str:
        new, self._sent = self._requests()[self._sent :], len(self._requests())
        return "".join("{} {}\n".format(*square) for square in new)

    def answer(self, printed: str) -> Any:
        """Return the square from the last line that consists of two numbers."""
        return self._square(*last_answer(printed, _pair_in, "2 3"))


def _square_json(square: Square) -> dict[str, int]:
    return {"x": square[0], "y": square[1]}


def _response_in(line: str) -> dict[str, Any] | None:
    try:
        whole = _decode(line)
    except (ValueError, RecursionError):
        return None
    return whole if isinstance(whole, dict) and "response" in whole else None


def _pair_in(line: str) -> tuple[int, int] | None:
    try:
        x, y = (int(word) for word in line.split())
    except ValueError:
        return None
    return x, y
