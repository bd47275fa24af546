"""Format numbers for readers, the same way in every language.

Numbers with up to four digits have no separators (4060, 1425.8); larger ones have commas between thousands (12,345.6).
The decimal separator is a point, and negative numbers have a minus sign (−). ``static/js/site/format.js`` does the
same. Numbers that identify something, such as matches, rounds and seeds, are not formatted.
"""

from __future__ import annotations

from typing import Final

_FIRST_SEPARATED: Final = 10_000
_BINARY_UNITS: Final = ("B", "KiB", "MiB", "GiB", "TiB")


def format_number(value: float, decimals: int = 0) -> str:
    """Format a number with exactly this many decimals; a number that rounds to zero has no sign."""
    text = f"{value:z,.{decimals}f}"
    if abs(round(value, decimals)) < _FIRST_SEPARATED:
        text = text.replace(",", "")
    return text.replace("-", "\N{MINUS SIGN}")


def format_shortest(value: float, max_decimals: int = 2) -> str:
    """Format a number with as many decimals as it needs, but at most ``max_decimals``."""
    text = format_number(value, max_decimals)
    return text.rstrip("0").rstrip(".") if max_decimals else text


def format_size(size: int) -> str:
    """Format a number of bytes in binary units with at most one decimal, such as 11.2 KiB."""
    power = min(max(size.bit_length() - 1, 0) // 10, len(_BINARY_UNITS) - 1)
    return f"{format_shortest(size / 1024**power, 1)} {_BINARY_UNITS[power]}"
