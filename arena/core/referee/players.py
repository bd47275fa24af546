"""Those who answer the referee's requests.

Invariants: no method blocks on the bot (an ``InProcessPlayer`` excepted, which is the bot); a
player rests except between ``ask`` and ``rest``; after ``close`` no process and no descriptor is left.
Untrusted bots play as ``JailedPlayer`` only. ``close``, ``log`` and ``printed`` raise nothing.
"""

from __future__ import annotations

import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from arena.core.messages import Message
from arena.core.referee.fair_time import Usage
from arena.core.referee.faults import FaultKind, Offence


@dataclass(frozen=True, slots=True)
class Departure:
    """How a player's process ended."""

    kind: FaultKind
    message: Message


class PlayerGone(Offence):
    """The player cannot be asked or does not answer any more."""

    def __init__(self, departure: Departure) -> None:
        super().__init__(departure.message)
        self.departure = departure


def restart_line(log: bytes, number: int) -> bytes:
    """What stands in a log, after what it holds already, before the output of its process of this number."""
    return (b"" if not log or log.endswith(b"\n") else b"\n") + b"--- new process: %d ---\n" % number


class Player(Protocol):
    """One bot as the referee sees it. What fails on our side raises ``RefereeFailure``."""

    @property
    def folder(self) -> Path | None:
        """Our own copy of the bot's files, for quoting a line; None: there is none."""

    def start(self) -> None:
        """Begin the process. No code of the bot runs yet."""

    def restart(self) -> None:
        """End the process and begin another that finds nothing of the first.

        The log goes on with ``restart_line``. The new process must not learn how long the log is.
        """

    def fileno(self) -> int | None:
        """See ``clock.Waitable``."""

    def ask(self, payload: bytes) -> None:
        """Wake the bot with a request; raises PlayerGone."""

    def receive(self) -> bytes | None:
        """The reply, None if there is none yet; raises PlayerGone, BadMessage."""

    def rest(self) -> None:
        """Stop the bot until it is asked again: nobody thinks on the opponent's time."""

    def usage(self) -> Usage | None:
        """Totals measured from outside, None where only wall time is known."""

    def close(self) -> None:
        """End the process and everything it started. May be called again."""

    def log(self) -> bytes:
        """What the bot printed so far, bounded."""

    def printed(self) -> int:
        """How many bytes that is; asked after every reply, so it has to be quick."""


def signal_name(number: int | None) -> str:
    """A signal as people know it, such as SIGSEGV."""
    try:
        return signal.Signals(number or 0).name
    except ValueError:
        return f"signal {number}"
