"""Find the answer among the lines of a script's output."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from bots.sdk import answers

Found = TypeVar("Found")

_SHOWN_BYTES = 60


def last_answer(printed: str, read: Callable[[str], Found | None], example: str) -> Found:
    """Return the result of ``read`` for the last line that it accepts.

    ``example``: a valid line, for the error message. Raises answers.Unusable if no line is accepted.
    """
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    if not lines:
        raise missing_output_error(example)
    for line in reversed(lines):
        found = read(line)
        if found is not None:
            return found
    raise invalid_output_error(lines[-1], example)


def missing_output_error(example: str) -> answers.Unusable:
    """Return the error for missing output; ``example`` shows the author a valid answer."""
    return answers.Unusable("bot.script.nothing_printed", example=example)


def invalid_output_error(printed: str, example: str) -> answers.Unusable:
    """Return the error for output that is not an answer; ``example`` shows the author a valid one."""
    shown = answers.sanitize_text(repr(printed), _SHOWN_BYTES)
    return answers.Unusable("bot.script.no_answer", shown=shown, example=example)
