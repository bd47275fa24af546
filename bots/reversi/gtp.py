"""Let GTP engines play matches: translate between the referee's protocol and GTP.

    python -m bots play reversi mine.py "gtp:gtp-rhino --level=3 -b 0"

Reversi engines use these commands of the Go Text Protocol 2 (https://www.lysator.liu.se/~gunnar/gtp/): ``boardsize 8``,
``clear_board``, ``play black f5``, ``genmove white``. A response begins with ``=`` or ``?`` and ends with an empty
line. This file is run as a script; its argument is the path of a folder that contains ``ENGINE_FILE``.

Invariant: the engine receives every move once, in the order of play, and every forced pass.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Protocol

if __name__ == "__main__":  # started as a script: put the folder above the package on the path
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from arena.games.reversi.rules import RESIGN, ReversiGame, ReversiState
from bots.cli.engines import ENGINE_FILE

_COLORS = ("black", "white")


class EngineError(Exception):
    """Raised if the engine cannot be started, exits, refuses a required command or disagrees about the position."""


class Engine(Protocol):
    """A GTP engine that answers commands one at a time."""

    def ask(self, command: str) -> str:
        """Return the text after ``=``. Raises EngineError if the response begins with ``?`` or the engine exited."""


class EngineProcess:
    """An engine in a separate process; its standard error goes to the log."""

    def __init__(self, command: list[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", errors="replace"
            )
        except OSError as error:
            raise EngineError(f"{command[0]} cannot be started: {error.strerror}.") from None

    def ask(self, command: str) -> str:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None  # noqa: S101 - both are pipes
        assert stdout is not None  # noqa: S101
        try:
            stdin.write(f"{command}\n")
            stdin.flush()
        except OSError:
            raise EngineError(f"The engine exited before {command!r}.") from None
        lines: list[str] = []
        for line in stdout:
            if line.strip():
                lines.append(line.strip())
            elif lines:
                break
        if not lines:
            raise EngineError(f"The engine exited during {command!r}.")
        answer = " ".join(lines)
        if not answer.startswith("="):
            raise EngineError(f"The engine answered {command!r} with {answer[:200]!r}.")
        return answer[1:].strip()


class GtpSession:
    """An engine's session for one match; it answers requests as ``bots.sdk.harness.Session`` does."""

    def __init__(self, start: Callable[[], Engine]) -> None:
        self._start = start
        self._engine: Engine | None = None
        self._state = ReversiState()
        self._seat = 0
        self._own: str | None = None  # the engine's last move, which it already knows
        self._stages: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "load": self._load,
            "import": lambda request: {"t": "done"},
            "construct": lambda request: {"t": "done", "note": "The player is an engine that speaks GTP."},
            "move": self._move,
            "again": lambda request: _failure_reply(f"The engine's move was rejected: {request['reason']}"),
        }

    def handle(self, payload: bytes) -> bytes:
        """Return the reply to one request."""
        request = json.loads(payload)
        try:
            reply = self._stages[request["do"]](request)
        except EngineError as failed:
            reply = _failure_reply(str(failed))
        return json.dumps({**reply, "nonce": request["nonce"]}).encode()

    def _load(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["game"] != ReversiGame.name:
            return _failure_reply("GTP engines play Reversi only.")
        self._engine, self._seat = self._start(), request["seat"]
        self._try("boardsize 8")
        self._engine.ask("clear_board")
        self._try(f"time_settings 0 {max(1, int(request['move_seconds']))} 1")
        self._catch_up(request["settings"]["opening"])
        return {"t": "done"}

    def _move(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._engine is not None  # noqa: S101 - the stages come in order
        self._catch_up(request["shared"]["moves"])
        answer = self._engine.ask(f"genmove {_COLORS[self._seat]}").upper()
        self._own = answer
        return {"t": "answer", "value": RESIGN if answer == "RESIGN" else answer}

    def _catch_up(self, line: str) -> None:
        """Send the moves played since the last update; ``line`` contains all moves of the match."""
        if not line.startswith(self._state.moves):
            raise EngineError("The position does not follow from the previous one.")
        for start in range(len(self._state.moves), len(line), 2):
            self._play(line[start : start + 2])

    def _play(self, move: str) -> None:
        """Apply a move, and send it to the engine unless the engine chose it; also send a forced pass that follows."""
        assert self._engine is not None  # noqa: S101
        seat = self._state.to_move
        assert seat is not None  # noqa: S101 - a move was played there
        if move == self._own and seat == self._seat:
            self._own = None
        else:
            self._engine.ask(f"play {_COLORS[seat]} {move.lower()}")
        self._state = ReversiGame().apply(self._state, {seat: move})
        if self._state.passed is not None:
            # some engines pass on their own and refuse the command
            self._try(f"play {_COLORS[self._state.passed]} pass")

    def _try(self, command: str) -> None:
        """Try an optional command; if the engine has exited, the next command raises EngineError."""
        assert self._engine is not None  # noqa: S101
        try:
            self._engine.ask(command)
        except EngineError:
            return


def _failure_reply(message: str) -> dict[str, Any]:
    return {"t": "failed", "cause": "exception", "message": message}


def serve(session: GtpSession, requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer requests until the referee closes the stream; each message is prefixed with its length in four bytes."""
    while request := requests.read(int.from_bytes(requests.read(4), "big")):
        reply = session.handle(request)
        replies.write(len(reply).to_bytes(4, "big") + reply)
        replies.flush()


def main(folder: str) -> None:
    command = json.loads((Path(folder) / ENGINE_FILE).read_text(encoding="utf-8"))
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    serve(GtpSession(lambda: EngineProcess(command)), requests, replies)


if __name__ == "__main__":
    main(sys.argv[1])
