"""Fit text into its space on a share card: wrap it, then shrink it, and truncate it only as a last resort."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from arena.games.drawing import Value, text

_LINE_HEIGHT: Final = 1.12  # relative to the font size
_LATIN_WIDTH: Final = 0.58  # character width relative to the font size
_BROAD: Final = frozenset("MW@%")  # as broad as full-width characters
_JOINER: Final = "\N{ZERO WIDTH JOINER}"
# Marks, modifiers, closing brackets and punctuation stay with the character before them.
_TRAILING: Final = frozenset({"Mn", "Mc", "Me", "Cf", "Sk", "Pe", "Pf", "Po"})
_LEADING: Final = frozenset({"Ps", "Pi"})


@dataclass(frozen=True, slots=True)
class FittedText:
    """The lines into which text is broken, with the font size at which they fit."""

    size: int
    lines: tuple[str, ...]

    @property
    def spacing(self) -> float:
        """Return the distance between the baselines of adjacent lines."""
        return self.size * _LINE_HEIGHT

    def draw(self, x: float, y: float, ink: str, **attributes: Value) -> list[str]:
        """Draw the lines; ``y``: the baseline of the first line."""
        return [
            text(x, y + index * self.spacing, self.size, line, ink, **attributes)
            for index, line in enumerate(self.lines)
        ]


@lru_cache(maxsize=256)  # all frames of an animation show the same names
def fit_text(content: str, room: float, height: float, *, largest: int, smallest: int) -> FittedText:
    """Wrap ``content`` at the largest size at which it fits into a box of width ``room`` and height ``height``.

    Words are divided only if the text does not fit otherwise, and the text is truncated only if it does not fit at the
    smallest size.
    """
    for divides_words in (False, True):
        for size in range(largest, smallest - 1, -1):
            lines = _wrap(content, size, room, divides_words=divides_words)
            if len(lines) <= _line_count(size, height) and all(text_width(line, size) <= room for line in lines):
                return FittedText(size, tuple(lines))
    lines = _wrap(content, smallest, room, divides_words=True)[: _line_count(smallest, height)]
    return FittedText(smallest, (*lines[:-1], _truncate(lines[-1], smallest, room)))


def text_width(content: str, size: float) -> float:
    """Estimate the width of ``content``; the exact width depends on the fonts of the machine."""
    return size * sum(1.0 if char in _BROAD or _is_wide(char) else _LATIN_WIDTH for char in content)


def _line_count(size: int, height: float) -> int:
    return max(1, int(height / (size * _LINE_HEIGHT)))


def _wrap(content: str, size: int, room: float, *, divides_words: bool) -> list[str]:
    lines = [""]
    for part in _parts(content, divides_words=divides_words):
        if lines[-1] and text_width((lines[-1] + part).rstrip(), size) > room:
            lines.append("")
        lines[-1] += part
    return [line.rstrip() for line in lines]


def _parts(content: str, *, divides_words: bool) -> list[str]:
    """Split text where a line can break: at spaces, full-width characters and, if ``divides_words``, inside words."""
    parts: list[str] = []
    for char in content:
        if parts and not _can_break(parts[-1][-1], char, divides_words=divides_words):
            parts[-1] += char
        else:
            parts.append(char)
    return parts


def _can_break(before: str, after: str, *, divides_words: bool) -> bool:
    if after.isspace() or unicodedata.category(after) in _TRAILING:
        return False
    if before == _JOINER or unicodedata.category(before) in _LEADING:
        return False
    return divides_words or before.isspace() or _is_wide(before) or _is_wide(after)


def _truncate(line: str, size: int, room: float) -> str:
    while line and text_width(line + "…", size) > room:
        line = line[:-1]
    return line.rstrip() + "…"


def _is_wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF"
