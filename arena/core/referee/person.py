"""A person in a match: a seat like any other, whose answers arrive in an inbox.

Invariants: no call blocks, and no process is started; the person is asked only for moves, and the startup requests are
answered automatically; at most one request is pending, and an answer always belongs to the pending request.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, Protocol

from arena.core.referee import messages
from arena.core.referee.fair_time import Usage
from arena.core.referee.faults import FaultKind
from arena.core.referee.players import PlayerExit
from arena.games.base import Json

RESIGNED: Final = PlayerExit(FaultKind.RESIGNED, messages.RESIGNED())


class Inbox(Protocol):
    """The inbox for one person's answers. The arena's own failures raise ``RefereeFailure``."""

    def open_request(self) -> None:
        """Open a request; answers to earlier requests expire."""

    def take_answer(self) -> Json:
        """Return the answer to the open request; None if there is none yet. Raises PlayerGone after a resignation."""

    def fileno(self) -> int | None:
        """Return a descriptor that becomes readable when an answer arrives, or None; see ``clock.Waitable``."""

    def close(self) -> None:
        """Release the inbox: the match is over, or continues elsewhere. Idempotent."""


class PersonPlayer:
    """A ``Player`` for a person, whose time is wall-clock time on the seat's clock."""

    folder: Path | None = None

    def __init__(self, inbox: Inbox) -> None:
        self.inbox = inbox
        self._nonce = ""
        self._asked = False  # whether a move has been requested

    def start(self) -> None:
        return

    def restart(self) -> None:
        return  # a person does not need a restart

    def fileno(self) -> int | None:
        return self.inbox.fileno() if self._asked else None

    def ask(self, payload: bytes) -> None:
        request = json.loads(payload)
        self._nonce = request["nonce"]
        self._asked = request["do"] in ("move", "again")
        if self._asked:
            self.inbox.open_request()

    def receive(self) -> bytes | None:
        if not self._asked:
            return _reply("done", self._nonce)
        answer = self.inbox.take_answer()
        return None if answer is None else _reply("answer", self._nonce, value=answer)

    def suspend(self) -> None:
        self._asked = False

    def usage(self) -> Usage | None:
        return None

    def close(self) -> None:
        self.inbox.close()

    def log(self) -> bytes:
        return b""

    def printed_bytes(self) -> int:
        return 0


def _reply(kind: str, nonce: str, **fields: Json) -> bytes:
    return json.dumps({"t": kind, "nonce": nonce, **fields}).encode()
