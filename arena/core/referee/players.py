"""The interface of players, which answer the referee's requests.

Invariants: no method waits for the bot, except in ``InProcessPlayer``; a player is suspended except between ``ask`` and
``suspend``; after ``close`` no process or descriptor is left. Untrusted bots play only as
``JailedPlayer``. ``close``, ``log`` and ``printed_bytes`` never raise.
"""

from __future__ import annotations

import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from arena.core.messages import Message
from arena.core.referee.fair_time import Usage
from arena.core.referee.faults import BotFault, FaultKind


@dataclass(frozen=True, slots=True)
class PlayerExit:
    """The way in which a player's process ended."""

    kind: FaultKind
    message: Message


class PlayerGone(BotFault):
    """Raised if a player cannot receive a request or stops answering."""

    def __init__(self, player_exit: PlayerExit) -> None:
        super().__init__(player_exit.message)
        self.player_exit = player_exit


def restart_line(log: bytes, number: int) -> bytes:
    """Return the separator to append to ``log`` before the output of the process with this ``number``."""
    return (b"" if not log or log.endswith(b"\n") else b"\n") + b"--- new process: %d ---\n" % number


class Player(Protocol):
    """One bot as the referee sees it. The arena's own failures raise ``RefereeFailure``."""

    @property
    def folder(self) -> Path | None:
        """Return the referee's own copy of the bot's files, for quoting a line; None if there is none."""

    def start(self) -> None:
        """Start the process. No bot code runs yet."""

    def restart(self) -> None:
        """Stop the process and start a new one that shares no state with the old one.

        The log continues after ``restart_line``. The new process must not learn the length of the log.
        """

    def fileno(self) -> int | None:
        """Return a descriptor that becomes readable when the reply arrives, or None; see ``clock.Waitable``."""

    def ask(self, payload: bytes) -> None:
        """Wake the bot with a request. Raises PlayerGone."""

    def receive(self) -> bytes | None:
        """Return the reply, or None if there is none yet. Raises PlayerGone or BadMessage."""

    def suspend(self) -> None:
        """Stop the bot until it is asked again: bots must not think on the opponent's time."""

    def usage(self) -> Usage | None:
        """Return the bot's CPU and waiting times as measured from outside; None if only wall time is known."""

    def close(self) -> None:
        """Stop the process and everything it started. Idempotent."""

    def log(self) -> bytes:
        """Return what the bot has printed so far, up to a limited length."""

    def printed_bytes(self) -> int:
        """Return the number of printed bytes; called after every reply, so it must be fast."""


def signal_name(number: int | None) -> str:
    """Return the usual name of a signal, such as SIGSEGV."""
    try:
        return signal.Signals(number or 0).name
    except ValueError:
        return f"signal {number}"
