"""From what happened to a bot to the fault that it is.

Invariant: whatever happens before turn 1 is a ``START`` fault; the message says what it was.
"""

from __future__ import annotations

from dataclasses import replace

from arena.core.plain_text import plain_text
from arena.core.referee.diagnosis import Place
from arena.core.referee.events import LogSpan, Refusal, Spent
from arena.core.referee.faults import Fault, FaultKind
from arena.core.referee.protocol import Answer, BadMessage, Cause, Done, Failed, Stage, Unusable

_REFUSED_CHARS = 200
# What begins a line of a module that plays no game when it is run.
_DEFINES = ("import ", "from ", "def ", "class ", "@")
_GUARD = 'If it plays a game, remove this line or put it under if __name__ == "__main__".'

_KIND_OF_CAUSE = {
    Cause.SYNTAX: FaultKind.START,
    Cause.MISSING_MODULE: FaultKind.CRASH,
    Cause.NO_PLAYER: FaultKind.START,
    Cause.MANY_PLAYERS: FaultKind.START,
    Cause.EXCEPTION: FaultKind.CRASH,
    Cause.EXIT: FaultKind.EXIT,
    Cause.MEMORY: FaultKind.MEMORY,
    Cause.OUTPUT: FaultKind.OUTPUT,
}

_DOING = {
    Stage.LOAD: "compiling main.py",
    Stage.IMPORT: "importing main.py",
    Stage.CONSTRUCT: "constructing the player",
    Stage.MOVE: "Its answer",
    Stage.AGAIN: "Its answer",
}


def _seconds(limit: float) -> str:
    return f"{limit:g} s"


def timed_out(stage: Stage, limit: float, place: Place | None) -> Fault:
    """The budget of the stage ran out; ``place`` is where the bot was, if that is known."""
    what = _DOING[stage]
    if stage.is_start:
        kind, message = FaultKind.START, f"Starting took longer than {_seconds(limit)}; it was still {what}."
    else:
        kind, message = FaultKind.TIMEOUT, f"{what} took longer than {_seconds(limit)} in one turn."
    fault = _at(Fault(kind, message), place)
    if stage is Stage.IMPORT and place and not place.source_line.startswith(_DEFINES):
        return replace(fault, message=f"{fault.message} {_GUARD}")
    return fault


def failed(stage: Stage, reply: Failed) -> Fault:
    """The bot's own code failed, as the harness reports it."""
    kind = FaultKind.START if stage.is_start else _KIND_OF_CAUSE[reply.cause]
    return Fault(
        kind,
        reply.message,
        traceback=reply.traceback,
        file=reply.file,
        line=reply.line,
        source_line=reply.source_line,
        missing_module=reply.module if reply.cause is Cause.MISSING_MODULE else None,
    )


def gone(stage: Stage, kind: FaultKind, message: str, place: Place | None = None) -> Fault:
    """The process ended, or was found at something that ends it."""
    if stage.is_start:
        kind, message = FaultKind.START, f"While {_DOING[stage]}: {message}"
    return _at(Fault(kind, message), place)


def _at(fault: Fault, place: Place | None) -> Fault:
    if place is None:
        return fault
    return replace(
        fault,
        message=f"{fault.message} It was at line {place.line} of {place.file}.",
        file=place.file,
        line=place.line,
        source_line=place.source_line,
    )


def illegal(tries: int, shown: str) -> Fault:
    """The last permitted answer of a turn was illegal; ``shown`` is that answer and why."""
    often = "" if tries == 1 else f" {tries} times in a row, at last"
    return Fault(FaultKind.ILLEGAL_MOVE, f"It gave an illegal answer{often}: {shown}")


def refused(reply: Done | Answer | Unusable, reason: str, spent: Spent, printed: LogSpan) -> Refusal:
    """An illegal answer and why it is one, bounded."""
    if not isinstance(reply, Answer):
        return Refusal("", cut(reason), spent, printed)
    return Refusal(cut(repr(reply.value)), cut(f"{reply.value!r}: {reason}"), spent, printed)


def cut(text: str) -> str:
    """The start of a text as plain text, as much as is kept of a refused answer."""
    text = plain_text(text[: 4 * _REFUSED_CHARS])
    return text if len(text) <= _REFUSED_CHARS else text[: _REFUSED_CHARS - 1] + "…"


def bad_message(stage: Stage, error: BadMessage) -> Fault:
    return gone(stage, FaultKind.BAD_MESSAGE, str(error))
