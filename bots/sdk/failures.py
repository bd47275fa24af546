"""Convert an exception to the failure in a reply: cause, message, traceback, line.

Invariant: the description of any exception has a limited length, fits into one protocol message and shows the bot's own
files with their paths relative to its folder.
"""

from __future__ import annotations

import errno
import linecache
import os
import re
import sys
import traceback
from collections.abc import Collection
from types import CodeType, TracebackType
from typing import Any

from bots.sdk import answers
from bots.sdk.answers import sanitize_text

try:
    import resource
except ImportError:  # Windows, which has no such limits
    resource = None  # type: ignore[assignment]

_SDK = os.path.dirname(os.path.abspath(__file__)) + os.sep  # noqa: PTH100, PTH120 - bots may poison pathlib
# Folders of the harness and of the games' additions to it, then their subfolders of modules imported by bare names.
_OWN_CODE = [_SDK]
_SHIMS = [f"{_SDK}shims"]
_TOO_MUCH = {errno.EFBIG: "bot.file_full", errno.ENOSPC: "bot.folder_full"}
# The limits of the process that cause a failure, and the code of the message that names the limit.
_LIMITS = {
    "bot.memory": ("RLIMIT_AS", "bot.memory.limit"),
    "bot.file_full": ("RLIMIT_FSIZE", "bot.file_full.limit"),
}
# Import paths from before the bot could change them, longest first, because one may be inside another.
_LIBRARIES = tuple(sorted((place for place in sys.path if len(place) > 1), key=len, reverse=True))
_MAX_TRACEBACK_BYTES = 24_000
_MAX_MESSAGE_BYTES = 2_000
_MAX_LINE_BYTES = 400


def add_own_code(folder: str, shims: str = "") -> None:
    """Treat the code in ``folder`` as part of the harness: tracebacks for bots' authors omit it."""
    if folder + os.sep not in _OWN_CODE:
        _OWN_CODE.append(folder + os.sep)
        _SHIMS.extend([shims] if shims else [])


class BotDefect(Exception):  # noqa: N818 - a finding about a bot, not an error here
    """A failure that its code and parameters describe completely, without a traceback.

    The referee formats the message: see ``arena/core/referee/bot_messages.py`` and the corresponding module of each
    game. ``about``: the code object to which the failure refers, if its line is known.
    """

    cause = "exception"

    def __init__(self, code: str, about: CodeType | None = None, **parameters: answers.Parameter) -> None:
        super().__init__(code)
        self.code, self.about, self.parameters = code, about, parameters


class NoPlayer(BotDefect):
    """Raised if the module has no player."""

    cause = "no_player"


class ManyPlayers(BotDefect):
    """Raised if several classes could be the player."""

    cause = "many_players"


class ScriptEnded(BotDefect):
    """Raised if a script ended when it should have waited for more input."""

    cause = "exit"


def describe_failure(error: BaseException, folder: str, course_files: Collection[str] = ()) -> dict[str, Any]:
    """Return the fields of a ``failed`` reply.

    ``course_files``: the game's course files, as the referee named them.
    """
    fields: dict[str, Any] = {"t": "failed", "cause": _cause(error)}
    code = _message_code(error)
    fields |= _with_limit(code) if code else {"message": _message(error, folder)}
    if isinstance(error, BotDefect):
        fields["parameters"] = answers.truncate_parameters(error.parameters)
        place = _function_line(error.about, folder) if error.about else None
        if place:
            fields["file"], fields["line"], fields["source_line"] = place
        return fields
    own = _traceback_of_bot(error.__traceback__)
    fields["traceback"] = _format_limited(error, own, folder)
    place = _syntax_error_line(error, folder) or _last_own_line(own, folder, course_files)
    if place:
        fields["file"], fields["line"], fields["source_line"] = place
    if isinstance(error, ModuleNotFoundError) and isinstance(error.name, str):
        fields["module"] = sanitize_text(error.name, 200)
    return fields


def _cause(error: BaseException) -> str:
    if isinstance(error, OSError) and error.errno in _TOO_MUCH:
        return "output"
    if isinstance(error, BotDefect):
        return error.cause
    causes: tuple[tuple[type[BaseException], str], ...] = (
        (MemoryError, "memory"),
        (SystemExit, "exit"),
        (ModuleNotFoundError, "missing_module"),
        (SyntaxError, "syntax"),
    )
    return next((cause for kind, cause in causes if isinstance(error, kind)), "exception")


def _message_code(error: BaseException) -> str:
    """Return the message code for a known failure; "" if the exception's own text suffices."""
    if isinstance(error, MemoryError):
        return "bot.memory"
    if isinstance(error, SystemExit):
        return "bot.exit"
    if isinstance(error, OSError) and error.errno in _TOO_MUCH:
        return _TOO_MUCH[error.errno]
    if type(error) is EOFError:
        return "bot.input_ended"
    return error.code if isinstance(error, BotDefect) else ""


def _with_limit(code: str) -> dict[str, Any]:
    """Return the fields for a message code; if the process has the limit that the message is about, add it in MiB."""
    if code in _LIMITS and resource is not None:
        name, with_limit = _LIMITS[code]
        limit, _ = resource.getrlimit(getattr(resource, name))
        if limit != resource.RLIM_INFINITY:
            return {"code": with_limit, "parameters": {"n": limit // 2**20}}
    return {"code": code}


def _message(error: BaseException, folder: str) -> str:
    """Return the error's message."""
    try:
        whole = error.msg if isinstance(error, SyntaxError) else str(error)
        # always a plain str, even if the bot's message is a subclass of it
        text = str.__getitem__(whole, slice(_MAX_MESSAGE_BYTES))
    except BaseException as second:  # noqa: BLE001 - the bot's own __str__ may raise anything, SystemExit too
        text = f"<str failed: {type(second).__name__}>"
    name = type(error).__name__
    return sanitize_text(_shorten_paths(f"{name}: {text}" if text else name, folder), _MAX_MESSAGE_BYTES)


def _shorten_paths(text: str, folder: str) -> str:
    """Shorten paths in the text by removing the bot's folder and the folders on the import path."""
    for place in (folder.rstrip("/\\"), *_SHIMS, *_LIBRARIES):
        # unless it is inside another path: the jail's "/sdk" is also a part of "/arena/bots/sdk"
        text = re.sub(rf"(?<![\w./\\-]){re.escape(place + os.sep)}", "", text)
    return text


def _traceback_of_bot(trace: TracebackType | None) -> TracebackType | None:
    """Return the traceback, starting at the bot's first frame; None if none of its frames are the bot's."""
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(tuple(_OWN_CODE)):
        trace = trace.tb_next
    return trace


def _format_limited(error: BaseException, own: TracebackType | None, folder: str) -> str:
    try:
        whole = traceback.TracebackException(type(error), error, own)
        _remove_harness_frames(whole)
        # Formatted and truncated part by part: the text of a single exception may nearly fill the memory.
        text = "".join(part[:_MAX_TRACEBACK_BYTES] for part in whole.format())
    except BaseException as second:  # noqa: BLE001 - formatting calls into the bot's exception
        text = f"{type(error).__name__} <its traceback cannot be shown: {type(second).__name__}>"
    return sanitize_text(_shorten_paths(text, folder), _MAX_TRACEBACK_BYTES)


def _remove_harness_frames(whole: traceback.TracebackException) -> None:
    """Remove the harness's frames from an exception's traceback and from those of its causes."""
    waiting, seen = [whole], set()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        one.stack[:] = [frame for frame in one.stack if not _is_harness_file(frame.filename)]
        waiting += [before for before in (one.__cause__, one.__context__) if before is not None]
        waiting += getattr(one, "exceptions", None) or []


def _is_harness_file(path: str) -> bool:
    return path.startswith((*_OWN_CODE, "<frozen importlib", "<arena>"))


def _syntax_error_line(error: BaseException, folder: str) -> tuple[str, int, str] | None:
    if not isinstance(error, SyntaxError) or not isinstance(error.filename, str) or not error.lineno:
        return None
    line = sanitize_text((error.text or "").strip(), _MAX_LINE_BYTES)
    return sanitize_text(_shorten_paths(error.filename, folder), _MAX_LINE_BYTES), error.lineno, line


def _last_own_line(
    trace: TracebackType | None, folder: str, course_files: Collection[str]
) -> tuple[str, int, str] | None:
    """Return the innermost line in the bot's own files or, failing that, in a course file; None if neither has one.

    The result is the file, the line number and the source line.
    """
    inside = folder.rstrip("/\\") + os.sep
    found = handed_out = None
    while trace is not None:
        path = trace.tb_frame.f_code.co_filename
        if path.startswith(inside):
            if path[len(inside) :] in course_files:
                handed_out = path, trace.tb_lineno
            else:
                found = path, trace.tb_lineno
        trace = trace.tb_next
    place = found or handed_out
    return _source_line(*place, folder) if place else None


def _function_line(code: CodeType, folder: str) -> tuple[str, int, str] | None:
    """Return where a function begins: file, line number and source line; None if it is not the bot's own."""
    inside = folder.rstrip("/\\") + os.sep
    return _source_line(code.co_filename, code.co_firstlineno, folder) if code.co_filename.startswith(inside) else None


def _source_line(path: str, line: int, folder: str) -> tuple[str, int, str]:
    inside = folder.rstrip("/\\") + os.sep
    source = sanitize_text(linecache.getline(path, line).strip(), _MAX_LINE_BYTES)
    return sanitize_text(path[len(inside) :], _MAX_LINE_BYTES), line, source
