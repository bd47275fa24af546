"""Compare a version with the draft line by line."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from arena.core.plain_text import plain_text
from arena.studio.drafts import DraftFiles

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


class NoLines(StrEnum):
    """The reason why a comparison lists no lines."""

    TOO_LONG = "too_long"
    EMPTY = "empty"  # the file is missing on one side and empty on the other
    SAME_LINES = "same_lines"  # only line endings or control characters differ


@dataclass(frozen=True, slots=True)
class FileDiff:
    """The differences in a file; ``no_lines`` is set if and only if ``lines`` is empty."""

    path: str
    lines: tuple[DiffLine, ...]
    no_lines: NoLines | None = None


_KINDS: Final[Mapping[str, LineKind]] = {"+": LineKind.ADDED, "-": LineKind.REMOVED, "@": LineKind.PLACE}


def compare_files(before: DraftFiles, after: DraftFiles) -> list[FileDiff]:
    """Return all files that differ, by path; if a file is missing on one side, all its lines differ."""
    paths = sorted({*before.texts, *after.texts})
    return [
        _file_diff(path, before.texts.get(path, ""), after.texts.get(path, ""))
        for path in paths
        if before.texts.get(path) != after.texts.get(path)
    ]


def _file_diff(path: str, before: str, after: str) -> FileDiff:
    old, new = plain_text(before).splitlines(), plain_text(after).splitlines()
    if max(len(old), len(new)) > _COMPARED_LINES:
        return FileDiff(path, (), NoLines.TOO_LONG)
    if old == new:
        return FileDiff(path, (), NoLines.SAME_LINES if old else NoLines.EMPTY)
    return FileDiff(path, tuple(_diff_lines(old, new)))


def _diff_lines(old: Sequence[str], new: Sequence[str]) -> Iterator[DiffLine]:
    for line in list(difflib.unified_diff(old, new, n=_CONTEXT, lineterm=""))[2:]:
        kind = _KINDS.get(line[0], LineKind.SAME)
        yield DiffLine(kind, line if kind is LineKind.PLACE else line[1:])
