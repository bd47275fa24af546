"""Classify a bot's failures as faults.

Invariant: any failure before turn 1 is a ``START`` fault; the message describes it.
"""

from __future__ import annotations

from dataclasses import replace

from arena.core.messages import Message
from arena.core.plain_text import plain_text
from arena.core.referee import messages
from arena.core.referee.diagnosis import SourceLocation
from arena.core.referee.events import LogSpan, RejectedAnswer, TimeSpent
from arena.core.referee.faults import Fault, FaultKind
from arena.core.referee.protocol import Answer, BadMessage, Cause, CodeFailed, RequestKind, StartDone, UnusableAnswer

_REFUSED_CHARS = 200
# First words of module-level lines that only import or define something.
_DEFINES = ("import ", "from ", "def ", "class ", "@")
_WHILE = {
    RequestKind.LOAD: messages.WHILE_COMPILING,
    RequestKind.IMPORT: messages.WHILE_IMPORTING,
    RequestKind.CONSTRUCT: messages.WHILE_CONSTRUCTING,
}
_TOO_SLOW = {
    RequestKind.LOAD: messages.SLOW_COMPILING,
    RequestKind.IMPORT: messages.SLOW_IMPORTING,
    RequestKind.CONSTRUCT: messages.SLOW_CONSTRUCTING,
}

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


def timeout_fault(request: RequestKind, limit: float, location: SourceLocation | None) -> Fault:
    """Return the fault of a bot that used up its budget; ``location``: the line that it was running, if known."""
    kind = FaultKind.START if request.is_start else FaultKind.TIMEOUT
    message = _TOO_SLOW.get(request, messages.SLOW_ANSWER)(seconds=f"{limit:g}")
    fault = _location_of(Fault(kind, message), location)
    if request is RequestKind.IMPORT and location and not location.source_line.startswith(_DEFINES):
        return replace(fault, message=messages.GUARD(sentence=fault.message))
    return fault


def code_fault(request: RequestKind, reply: CodeFailed) -> Fault:
    """Return the fault of a bot whose code failed, as reported by the harness."""
    kind = FaultKind.START if request.is_start else _KIND_OF_CAUSE[reply.cause]
    return Fault(
        kind,
        messages.harness_message(reply.code, reply.message, reply.parameters),
        traceback=reply.traceback,
        file=reply.file,
        line=reply.line,
        source_line=reply.source_line,
        missing_module=reply.module if reply.cause is Cause.MISSING_MODULE else None,
    )


def exit_fault(
    request: RequestKind, kind: FaultKind, message: Message, location: SourceLocation | None = None
) -> Fault:
    """Return the fault of a bot whose process exited or misused its channel."""
    if request.is_start:
        kind, message = FaultKind.START, _WHILE[request](sentence=message)
    return _location_of(Fault(kind, message), location)


def _location_of(fault: Fault, location: SourceLocation | None) -> Fault:
    if location is None:
        return fault
    return replace(
        fault,
        message=messages.AT_LINE(sentence=fault.message, line=location.line, file=location.file),
        file=location.file,
        line=location.line,
        source_line=location.source_line,
    )


def illegal_answer_fault(tries: int, rejected: Message) -> Fault:
    """Return the fault of a bot whose last permitted answer in a turn was illegal.

    ``tries``: the number of illegal answers; ``rejected``: the last of them and the reason for its rejection.
    """
    if tries == 1:
        return Fault(FaultKind.ILLEGAL_MOVE, messages.ILLEGAL(sentence=rejected))
    return Fault(FaultKind.ILLEGAL_MOVE, messages.ILLEGAL_IN_A_ROW(n=tries, sentence=rejected))


def rejected_answer(
    reply: StartDone | Answer | UnusableAnswer, reason: Message, spent: TimeSpent, printed: LogSpan
) -> RejectedAnswer:
    """Describe an illegal answer and the reason for its rejection, both truncated to a maximum length."""
    reason = messages.map_texts(reason, truncate)
    if not isinstance(reply, Answer):
        return RejectedAnswer("", reason, spent, printed)
    answer = truncate(repr(reply.value))
    return RejectedAnswer(
        answer, messages.map_texts(messages.REJECTED(answer=answer, reason=reason), truncate), spent, printed
    )


def truncate(text: str) -> str:
    """Convert text to plain text, and truncate it to the maximum length of a quoted answer."""
    text = plain_text(text[: 4 * _REFUSED_CHARS])
    return text if len(text) <= _REFUSED_CHARS else text[: _REFUSED_CHARS - 1] + "…"


def bad_message_fault(request: RequestKind, error: BadMessage) -> Fault:
    return exit_fault(request, FaultKind.BAD_MESSAGE, error.message)
