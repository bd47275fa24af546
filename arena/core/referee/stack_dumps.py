"""Remove the harness's frames from a bot's log.

Shortly before a limit, the harness makes the interpreter dump its stack to the log (``bots/sdk/alarm.py``); a crash
also dumps the stack. The referee reads the location from the dump; the author does not need the harness's frames.

Invariant: only lines of stack dumps change; other output is left unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

_FRAME = r'  File "[^"\n]*", line \d+(?: in [^\n]*)?\n'
# A dump that the harness requested before a limit, by a signal or from a thread: nothing crashed.
_ON_PURPOSE = re.compile(
    rf"^(?:Stack \(most recent call first\):\n|Timeout \([\d:.]+\)!\n(?:Thread 0x[^\n]*\n)?)(?:{_FRAME}|  \.\.\.\n)*",
    re.MULTILINE,
)
_PLACE = re.compile(r'^(\s*File ")([^"\n]*)(", line \d+)')
_OURS = re.compile(r"^<(?:arena|frozen [^>]*)>$|^/sdk/|(?:^|/)(?:bots/(?:\w+/)?sdk|arena/core/(?:sandbox|referee))/")
# The command that starts the fork server: the outermost frame, next to the harness's frames.
_START: Final = '"<string>", line 1'
# Installation folders of Python and its libraries.
_INSTALLED = re.compile(r"^/(?:[^/]+/)*lib(?:64)?/python3[^/]*/(?:(?:site|dist)-packages/)?")
# A bot's folder in a jail, and its prefix if the jail shows the host's paths.
_BOT_FOLDER = re.compile(r"^(?:/bot|/.*?/arena-bots-[^/]+/[^/]+|/.*?/tmp\w{8}/bot|/.*?/bot-\w{8}(?:/bot-\w{8})?)/")


def remove_harness_frames(log: str) -> str:
    """Remove the stack dumps that the harness requested, and the harness's frames from all other dumps."""
    if 'File "' not in log and "most recent call first" not in log:
        return log
    return "".join(_visible_lines(_ON_PURPOSE.sub("", log).splitlines(keepends=True)))


def _visible_lines(lines: list[str]) -> Iterator[str]:
    """Yield lines with short paths; drop harness frames and their source lines."""
    depth = -1  # indentation of the frame that is being left out
    for line, following in zip_longest(lines, lines[1:], fillvalue=""):
        after_ours = depth >= 0
        indent = len(line) - len(line.lstrip(" "))
        place = _PLACE.match(line)
        if place is None and indent > depth >= 0:
            continue
        depth = -1
        if place is None:
            yield line
        elif _OURS.search(place[2]) or (_START in line and (after_ours or _is_harness_frame(following))):
            depth = indent
        else:
            yield f"{place[1]}{_short_path(place[2])}{line[place.end(2) :]}"


def _is_harness_frame(line: str) -> bool:
    place = _PLACE.match(line)
    return place is not None and _OURS.search(place[2]) is not None


def _short_path(path: str) -> str:
    """Return the path relative to the bot's folder, or to the folder that it was imported from."""
    return _INSTALLED.sub("", _BOT_FOLDER.sub("", path))
