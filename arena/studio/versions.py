"""Compare a version and the draft line by line."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from arena.core.plain_text import plain_text
from arena.studio.drafts import Files

# Comparison time is quadratic in the number of differing lines; longer files are only reported as different.
_COMPARED_LINES: Final = 3_000
_CONTEXT: Final = 3


class LineKind(StrEnum):
    """The kind of line in a comparison."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    PLACE = "place"  # the position of the lines that follow


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line in a comparison, without its line ending."""

    kind: LineKind
    text: str


@dataclass(frozen=True, slots=True)
class FileDiff:
    """``lines``: empty if the file is too long to compare."""

    path: str
    lines: tuple[DiffLine, ...]


_KINDS: Final[Mapping[str, LineKind]] = {"+": LineKind.ADDED, "-": LineKind.REMOVED, "@": LineKind.PLACE}


def compare(before: Files, after: Files) -> list[FileDiff]:
    """Return all files that differ, by path; if a file is missing on one side, all its lines differ."""
    paths = sorted({*before.texts, *after.texts})
    return [
        FileDiff(path, tuple(_lines(before.texts.get(path, ""), after.texts.get(path, ""))))
        for path in paths
        if before.texts.get(path) != after.texts.get(path)
    ]


def _lines(before: str, after: str) -> Iterator[DiffLine]:
    old, new = plain_text(before).splitlines(), plain_text(after).splitlines()
    if max(len(old), len(new)) > _COMPARED_LINES:
        return
    for line in list(difflib.unified_diff(old, new, n=_CONTEXT, lineterm=""))[2:]:
        kind = _KINDS.get(line[0], LineKind.SAME)
        yield DiffLine(kind, line if kind is LineKind.PLACE else line[1:])
