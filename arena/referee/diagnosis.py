"""What the owner of a bot is told about its fault, and nobody else.

Invariant: every text is bounded and free of NUL and control characters; a file is only ever
read if it is one of the regular files of the bot's own folder, whatever the bot claims.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.games.base import Json
from arena.referee.faults import Fault, FaultKind

LOG_TAIL_BYTES = 4_000
SOURCE_LINE_CHARS = 200
_STACK_BYTES = 64 * 1024
_CONTROL = {code: "\N{REPLACEMENT CHARACTER}" for code in [*range(32), *range(127, 160)] if chr(code) not in "\n\t"}
# As faulthandler prints it, shortly before a limit runs out or when the process crashes.
_STACK_TITLES = (b"Stack (most recent call first):", b"Current thread 0x", b"Timeout (")
_FRAME = re.compile(rb'^  File "([^"\n]{1,1000})", line (\d{1,9}) in ', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Why a bot lost its match; ``turn`` 0 is before the first."""

    kind: FaultKind
    message: str
    traceback: str
    file: str | None
    line: int | None
    source_line: str | None
    turn: int
    log_tail: str

    def to_json(self) -> dict[str, Json]:
        return {
            "kind": self.kind.value,
            "message": self.message,
            "traceback": self.traceback,
            "file": self.file,
            "line": self.line,
            "source_line": self.source_line,
            "turn": self.turn,
            "log_tail": self.log_tail,
        }


def diagnose(fault: Fault, turn: int, log: bytes, libraries: Sequence[str] = ()) -> Diagnosis:
    """The fault as its owner reads it, with the end of the bot's log.

    ``libraries``: what it may import beyond the standard library, where that is known.
    """
    message = fault.message
    if fault.missing_module:
        message = _explain_missing(fault.missing_module, libraries)
    return Diagnosis(
        kind=fault.kind,
        message=clean(message),
        traceback=clean(fault.traceback),
        file=clean(fault.file) if fault.file else None,
        line=fault.line,
        source_line=clean(fault.source_line) if fault.source_line else None,
        turn=turn,
        log_tail=log_tail(log),
    )


def _explain_missing(module: str, libraries: Sequence[str]) -> str:
    top = module.partition(".")[0]
    message = f"{top} is not installed in the arena and not among the bot's files."
    if libraries:
        message += f" Permitted are the standard library and {', '.join(libraries)}."
    return message


def clean(text: str) -> str:
    """Text that a database, a page and a terminal take as it is."""
    return text.replace("\r\n", "\n").translate(_CONTROL).encode("utf-8", "replace").decode("utf-8")


def log_tail(log: bytes) -> str:
    """The last whole lines of a log, at most ``LOG_TAIL_BYTES``."""
    tail = log[-LOG_TAIL_BYTES:]
    if len(log) > LOG_TAIL_BYTES:
        first_end = tail.find(b"\n")
        tail = tail[first_end + 1 :] if first_end >= 0 else tail
    return clean(tail.decode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class Place:
    """A line in one of the bot's own files."""

    file: str
    line: int
    source_line: str


def place_in_log(log: bytes, folder: Path | None) -> Place | None:
    """Where the bot was when its time ran out, from the last stack printed into its log."""
    tail = log[-_STACK_BYTES:]
    start = max(tail.rfind(title) for title in _STACK_TITLES)
    if folder is None or start < 0:
        return None
    sources = _sources(folder)
    for match in _FRAME.finditer(tail, start):
        path, line = match[1].decode("utf-8", "replace").replace("\\", "/"), int(match[2])
        # the same file has another absolute path inside the jail
        own = max((name for name in sources if path.endswith("/" + name)), key=len, default=None)
        if own is not None:
            return Place(own, line, _line_of(sources[own], line))
    return None


def _sources(folder: Path) -> dict[str, Path]:
    found = (path for path in folder.rglob("*.py") if path.is_file() and not path.is_symlink())
    return {path.relative_to(folder).as_posix(): path for path in found}


def _line_of(path: Path, number: int) -> str:
    lines = path.read_bytes().decode("utf-8", "replace").splitlines()
    return lines[number - 1].strip()[:SOURCE_LINE_CHARS] if 0 < number <= len(lines) else ""
