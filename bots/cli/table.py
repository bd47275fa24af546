"""Format tables for the terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


def format_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Format a table; the first column is left-aligned, all others right-aligned."""
    widths = [max(_display_width(row[column]) for row in [head, *rows]) for column in range(len(head))]
    return "\n".join(_format_row(row, widths) for row in [head, *rows])


def _format_row(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [
        cell + " " * (width - _display_width(cell)) if column == 0 else " " * (width - _display_width(cell)) + cell
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()


def _display_width(text: str) -> int:
    """Return the display width; a Chinese character occupies two columns."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
