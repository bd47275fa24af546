"""Parse the values of command-line arguments, with error messages that say what is expected."""

from __future__ import annotations

import argparse
from enum import StrEnum


def parse_choice(choices: type[StrEnum], what: str, text: str) -> StrEnum:
    """Parse one of the values of ``choices``; ``what`` names them in the error."""
    try:
        return choices(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"unknown {what} {text}; choose from {', '.join(choices)}") from None


def parse_integer(text: str) -> int:
    """Parse an integer."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected an integer, not {text}") from None


def parse_page_number(text: str) -> int:
    """Parse the number of a match or tournament, as it appears in the address of its page."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"expected the number of a match or tournament, as in the address of its page, not {text}"
        ) from None


def parse_count(text: str) -> int:
    """Parse a number that is at least 1."""
    value = parse_integer(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1, not {text}")
    return value
