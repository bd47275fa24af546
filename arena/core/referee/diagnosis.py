"""Describe faults and rejected answers to the bot's owner.

Invariant: all text is bounded and ``plain_text``; a file is read only if it is a regular file in the bot's own
folder, whatever the bot claims.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path

from arena.core.messages import Message
from arena.core.plain_text import one_line, plain_text
from arena.core.referee import messages
from arena.core.referee.events import NO_TIME, NOTHING_PRINTED, LogSpan, TimeSpent
from arena.core.referee.faults import Fault, FaultKind
from arena.core.referee.players import Player
from arena.core.referee.stack_dumps import remove_harness_frames
from arena.games.base import Json

PRINTED_BYTES = 8_000
SOURCE_LINE_CHARS = 200
_STACK_BYTES = 64 * 1024
# A bot can print a fake stack of thousands of frames; faulthandler prints at most a hundred.
_MAX_FRAMES = 100
# The format of faulthandler, which writes shortly before a limit or after a crash.
_STACK_TITLES = (b"Stack (most recent call first):", b"Current thread 0x", b"Timeout (")
_FRAME = re.compile(rb'^  File "([^"\n]{1,1000})", line (\d{1,9}) in ([^\n]*)', re.MULTILINE)
_TOP_LEVEL = b"<module>"


@dataclass(frozen=True, slots=True)
class FaultContext:
    """The turn and answer in which a bot was at fault, and the time used and output printed by then.

    ``turn``: 0 before the first turn; ``answer_number``: number of the answer in this turn, from 1; ``answer``: the
    answer in Python notation, "" if there was none; ``spent``: time used in the turn up to then; ``printed``: output
    during the request.
    """

    turn: int
    answer_number: int = 1
    answer: str = ""
    spent: TimeSpent = NO_TIME
    printed: LogSpan = NOTHING_PRINTED


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One fault or one rejected answer of a bot.

    It contains the position of the bot's output in the log, but not the output itself.

    ``missing_module``: the module that could not be imported, if that was the cause.
    """

    kind: FaultKind
    message: Message
    traceback: str
    file: str | None
    line: int | None
    source_line: str | None
    moment: FaultContext
    missing_module: str | None = None

    @property
    def turn(self) -> int:
        return self.moment.turn

    def to_json(self) -> dict[str, Json]:
        return {
            "kind": self.kind.value,
            **self.message.to_json("message"),
            "traceback": self.traceback,
            "file": self.file,
            "line": self.line,
            "source_line": self.source_line,
            "missing_module": self.missing_module,
            "turn": self.moment.turn,
            "attempt": self.moment.answer_number,
            "answer": self.moment.answer,
            "seconds": round(self.moment.spent.charged, 6),
            "cpu": round(self.moment.spent.cpu, 6),
            "wall": round(self.moment.spent.wall, 6),
            "printed": [self.moment.printed.begin, self.moment.printed.end],
        }


def diagnose(fault: Fault, moment: FaultContext, libraries: Sequence[str] = ()) -> Diagnosis:
    """Describe the fault to the bot's owner.

    ``libraries``: what the bot may import beyond the standard library, if known.
    """
    message = fault.message
    if fault.missing_module:
        message = _explain_missing_module(fault.missing_module, libraries)
    return Diagnosis(
        kind=fault.kind,
        message=messages.map_texts(message, plain_text),
        traceback=plain_text(fault.traceback),
        file=one_line(fault.file) if fault.file else None,
        line=fault.line,
        source_line=plain_text(fault.source_line) if fault.source_line else None,
        moment=replace(moment, answer=plain_text(moment.answer)),
        missing_module=one_line(fault.missing_module) if fault.missing_module else None,
    )


def _explain_missing_module(module: str, libraries: Sequence[str]) -> Message:
    top = module.partition(".")[0]
    if libraries:
        return messages.NOT_INSTALLED_LIBRARIES(module=top, libraries=tuple(libraries))
    return messages.NOT_INSTALLED(module=top)


def log_text(log: bytes) -> str:
    """Return all output of a bot as plain text, without the harness's frames."""
    return remove_harness_frames(plain_text(log.decode("utf-8", "replace")))


def output_between(log: bytes, begin: int, end: int | None) -> str:
    """Return a part of a log; if it exceeds ``PRINTED_BYTES``, return only its last whole lines.

    ``end``: None for the end of the log.
    """
    part = log[begin:end]
    if len(part) > PRINTED_BYTES:
        part = part[-PRINTED_BYTES:]
        part = part[part.find(b"\n") + 1 :]
    return log_text(part)


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """A line in one of the bot's files."""

    file: str
    line: int
    source_line: str


def location_in_log(
    log: bytes, folder: Path | None, *, importing: bool = False, course_files: Collection[str] = ()
) -> SourceLocation | None:
    """Return the line at which the bot's time ran out, from the last stack dump in its log; None if unknown.

    ``importing``: return the module-level line instead of a line in the code that it calls, because the module-level
    line is the one that the author can remove. ``course_files``: their frames are attributed to the author's line that
    called them; see ``Game``.
    """
    tail = log[-_STACK_BYTES:]
    start = max(tail.rfind(title) for title in _STACK_TITLES)
    if folder is None or start < 0:
        return None
    found = list(_own_frames(tail[start:], _source_names(folder)))
    if importing:
        found = [frame for frame in found if frame[1] == _TOP_LEVEL] or found
    own = [location for location, _ in found if location.file not in course_files]
    return own[0] if own else next((location for location, _ in found), None)


def find_running_line(
    player: Player, *, importing: bool = False, course_files: Collection[str] = ()
) -> SourceLocation | None:
    """Return the line that a player was running, from its log and the copy of its files.

    Return None if the log or the copy cannot be read. The result is for information only. ``importing`` and
    ``course_files``: see ``location_in_log``.
    """
    try:
        return location_in_log(player.log(), player.folder, importing=importing, course_files=course_files)
    except OSError:
        return None


def _own_frames(stack: bytes, sources: dict[str, Path]) -> Iterator[tuple[SourceLocation, bytes]]:
    """Yield the frames in the bot's own files with their function names, innermost first."""
    lines_of = cache(_lines_of)  # a stack can name the same long file many times
    for match in islice(_FRAME.finditer(stack), _MAX_FRAMES):
        path, line = match[1].decode("utf-8", "replace").replace("\\", "/"), int(match[2])
        # the same file has a different absolute path inside the jail
        own = max((name for name in sources if path.endswith("/" + name)), key=len, default=None)
        if own is not None:
            yield SourceLocation(own, line, _line_of(lines_of(sources[own]), line)), match[3]


def _source_names(folder: Path) -> dict[str, Path]:
    found = (path for path in folder.rglob("*.py") if path.is_file() and not path.is_symlink())
    return {path.relative_to(folder).as_posix(): path for path in found}


def _lines_of(path: Path) -> list[str]:
    return path.read_bytes().decode("utf-8", "replace").splitlines()


def _line_of(lines: list[str], number: int) -> str:
    return lines[number - 1].strip()[:SOURCE_LINE_CHARS] if 0 < number <= len(lines) else ""
