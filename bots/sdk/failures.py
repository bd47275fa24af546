"""From an exception to the failure that the referee is told: cause, message, traceback, line.

Invariant: the description is bounded whatever the exception is, fits one message of the protocol
and names the bot's own files by their path inside its folder.
"""

from __future__ import annotations

import errno
import linecache
import os
import traceback
from types import TracebackType
from typing import Any

from bots.sdk.answers import fit

_SDK = os.path.dirname(os.path.abspath(__file__)) + os.sep  # noqa: PTH100, PTH120 - bots may poison pathlib
_TOO_MUCH = {
    errno.EFBIG: "It wrote more than a file of it may hold.",
    errno.ENOSPC: "It wrote more than its folder can hold.",
}
_MAX_TRACEBACK_BYTES = 24_000
_MAX_MESSAGE_BYTES = 2_000
_MAX_LINE_BYTES = 400


class Finding(Exception):  # noqa: N818 - what the harness found out about a bot
    """The sentence says it all: no traceback belongs to it."""

    cause = "exception"


class NoPlayer(Finding):
    """Nothing in the module can play."""

    cause = "no_player"


class ManyPlayers(Finding):
    """Several classes could be the player."""

    cause = "many_players"


class Ended(Finding):
    """A script came to its end where it should have waited."""

    cause = "exit"


def describe(error: BaseException, folder: str) -> dict[str, Any]:
    """The fields of a ``failed`` reply."""
    fields: dict[str, Any] = {"t": "failed", "cause": _cause(error), "message": _message(error, folder)}
    if isinstance(error, Finding):
        return fields
    own = _skip_harness(error.__traceback__)
    fields["traceback"] = _format(error, own, folder)
    place = _syntax_place(error, folder) or _last_own_line(own, folder)
    if place:
        fields["file"], fields["line"], fields["source_line"] = place
    if isinstance(error, ModuleNotFoundError) and isinstance(error.name, str):
        fields["module"] = fit(error.name, 200)
    return fields


def _cause(error: BaseException) -> str:
    if isinstance(error, OSError) and error.errno in _TOO_MUCH:
        return "output"
    if isinstance(error, Finding):
        return error.cause
    causes: tuple[tuple[type[BaseException], str], ...] = (
        (MemoryError, "memory"),
        (SystemExit, "exit"),
        (ModuleNotFoundError, "missing_module"),
        (SyntaxError, "syntax"),
    )
    return next((cause for kind, cause in causes if isinstance(error, kind)), "exception")


def _message(error: BaseException, folder: str) -> str:
    if isinstance(error, MemoryError):
        return "It asked for more memory than it may have."
    if isinstance(error, SystemExit):
        return "It ended its own process with sys.exit() or exit()."
    if isinstance(error, OSError) and error.errno in _TOO_MUCH:
        return _TOO_MUCH[error.errno]
    if type(error) is EOFError:
        return "It asked for more input than there is; nobody types here."
    if isinstance(error, Finding):
        return fit(str(error), _MAX_MESSAGE_BYTES)
    try:
        whole = error.msg if isinstance(error, SyntaxError) else str(error)
        text = str.__getitem__(whole, slice(_MAX_MESSAGE_BYTES))  # a plain text, whatever the bot derived from str
    except BaseException as second:  # noqa: BLE001 - the bot's own __str__ may raise anything, SystemExit too
        text = f"<str failed: {type(second).__name__}>"
    name = type(error).__name__
    return fit(_relative(f"{name}: {text}" if text else name, folder), _MAX_MESSAGE_BYTES)


def _relative(text: str, folder: str) -> str:
    return text.replace(folder.rstrip("/\\") + os.sep, "")


def _skip_harness(trace: TracebackType | None) -> TracebackType | None:
    """The traceback from the bot's first frame on."""
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_SDK):
        trace = trace.tb_next
    return trace


def _format(error: BaseException, own: TracebackType | None, folder: str) -> str:
    try:
        # Cut part by part: the text of one exception may be nearly as large as all the memory there is.
        parts = traceback.TracebackException(type(error), error, own).format()
        text = "".join(part[:_MAX_TRACEBACK_BYTES] for part in parts)
    except BaseException as second:  # noqa: BLE001 - formatting calls into the bot's exception
        text = f"{type(error).__name__} <its traceback cannot be shown: {type(second).__name__}>"
    return fit(_relative(text, folder), _MAX_TRACEBACK_BYTES)


def _syntax_place(error: BaseException, folder: str) -> tuple[str, int, str] | None:
    if not isinstance(error, SyntaxError) or not isinstance(error.filename, str) or not error.lineno:
        return None
    line = fit((error.text or "").strip(), _MAX_LINE_BYTES)
    return fit(_relative(error.filename, folder), _MAX_LINE_BYTES), error.lineno, line


def _last_own_line(trace: TracebackType | None, folder: str) -> tuple[str, int, str] | None:
    """The innermost frame in the bot's own files."""
    inside = folder.rstrip("/\\") + os.sep
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.startswith(inside):
            found = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    if found is None:
        return None
    path, line = found
    source = fit(linecache.getline(path, line).strip(), _MAX_LINE_BYTES)
    return fit(path[len(inside) :], _MAX_LINE_BYTES), line, source
