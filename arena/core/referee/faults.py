"""A bot's faults, as opposed to the arena's own failures.

Invariants: a ``FaultKind`` is always caused by the bot and costs it the match (or its seat). A ``RefereeFailure`` is
always the arena's and is never scored; the match is requeued, and void after three attempts. From the first contact
with a bot until its player is closed, a failure of its process or a misuse of its channel is a ``BotFault``; every
other failure leaves the context ``ARENA_FAILURES`` as a ``RefereeFailure``, whatever the original exception. A
failure's reason contains no path or value from the host, because organizers and authors read it; the log has the rest.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from types import TracebackType

from arena.core.messages import ExplainedFailure, Message
from arena.core.referee.failure_messages import DEFECT, SYSTEM_ERROR
from arena.core.sandbox.messages import error_name
from arena.games.base import Outcome, Termination


class FaultKind(StrEnum):
    """The kind of a bot's fault."""

    START = "start"  # failed to compile, import or construct, or exceeded the start limit
    TIMEOUT = "timeout"  # exceeded the move limit
    ILLEGAL_MOVE = "illegal_move"  # gave the last permitted illegal answer for one move
    CRASH = "crash"  # get_move raised an exception, or the process crashed (segmentation fault, abort)
    EXIT = "exit"  # exited by itself: sys.exit, os._exit
    MEMORY = "memory"  # exceeded its memory limit
    OUTPUT = "output"  # exceeded its limits on files
    BAD_MESSAGE = "bad_message"  # wrote something invalid to the referee's channel
    RESIGNED = "resigned"  # a person resigned, which is not a bot's fault but ends their participation in the same way


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault as the referee observed it; all text is cleaned and bounded.

    ``message``: what happened. ``file``, ``line`` and ``source_line`` point into the bot's own files if the cause
    is known; ``traceback`` is empty if there is none. ``missing_module``: the module that could not be imported, if
    that was the cause.
    """

    kind: FaultKind
    message: Message
    traceback: str = ""
    file: str | None = None
    line: int | None = None
    source_line: str | None = None
    missing_module: str | None = None


def with_cause(outcome: Outcome | None, left: Collection[FaultKind]) -> Outcome | None:
    """Return the rules' outcome, with a forfeit changed to a resignation if all seats that left have resigned.

    ``left``: the kinds of fault that made seats leave the match.
    """
    if outcome is None or outcome.termination is not Termination.FORFEIT:
        return outcome
    if any(kind is not FaultKind.RESIGNED for kind in left):
        return outcome
    return replace(outcome, termination=Termination.RESIGNATION)


class RefereeFailure(ExplainedFailure):
    """A failure of the arena itself to play the match; no bot is at fault and nothing is scored.

    ``seat``: the seat being started or asked at that time, for debugging; None unless it was exactly one seat.
    """

    seat: int | None = None


class MatchStopped(Exception):  # noqa: N818 - not an error: somebody asked for it
    """Raised if ``stop()`` returned true: the match was cancelled, or its worker is shutting down."""


class BotFault(Exception):  # noqa: N818 - an event of the match, not an error of ours
    """Raised if a bot is at fault: its process failed, or it misused the channel or sent invalid data."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.text)
        self.message = message


class _ArenaFailures:
    """A context manager that turns any unattributed exception into a RefereeFailure.

    This is a class because a generator-based context manager would take up a tenth of a request's time.
    """

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if error is None or isinstance(error, _ATTRIBUTED) or not isinstance(error, Exception):
            return
        raise RefereeFailure(reason_of(error), error.detail if isinstance(error, ExplainedFailure) else "") from error


_ATTRIBUTED = (RefereeFailure, MatchStopped, BotFault)
ARENA_FAILURES = _ArenaFailures()


def reason_of(error: Exception) -> Message:
    """Describe a failure of the arena, without paths or values from the host."""
    if isinstance(error, ExplainedFailure):
        return error.message
    if isinstance(error, OSError) and error.errno:
        return SYSTEM_ERROR(error=error_name(error))
    return DEFECT(exception=type(error).__name__)
