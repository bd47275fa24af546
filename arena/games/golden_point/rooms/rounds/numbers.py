"""Parse the numbers that players send: plain decimal or exponent notation, nothing else."""

from __future__ import annotations

from arena.games.golden_point.rooms.rules import Refusal
from arena.games.golden_point.rules import is_valid, read_decimal

Pair = tuple[float, float | None]  # one player's numbers in a round; the second is set only if the room asks for two


def read_number(text: str) -> float:
    """Parse ``text`` as the nearest double; raises Refused unless it is greater than 0 and less than 100.

    A number that underflows to 0 or rounds up to 100 is out of range.
    """
    value = read_decimal(text.strip(" "))
    if value is None or not is_valid(value):
        raise Refusal.INVALID_NUMBER.error()
    return value


def read_pair(first: str, second: str, *, numbers: int) -> Pair:
    """Parse the numbers of a pick; the second one is ignored if the room takes only one."""
    if numbers == 1:
        return read_number(first), None
    if not second.strip(" "):
        raise Refusal.MISSING_NUMBER.error()
    return read_number(first), read_number(second)
