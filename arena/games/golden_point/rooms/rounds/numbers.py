"""Parse the numbers that players send: plain decimal or exponent notation, nothing else."""

from __future__ import annotations

import re
from typing import Final

from arena.games.golden_point.rooms.rules import Refusal

_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_LONGEST: Final = 400  # characters: a double never needs more than a few dozen

Pair = tuple[float, float | None]  # one player's numbers in a round; the second is set only if the room asks for two


def read_number(text: str) -> float:
    """Parse ``text`` as the nearest double; raises Refused unless it is greater than 0 and less than 100.

    ``float`` alone would accept ``nan``, ``1_0`` and digits of other scripts; a number that underflows to 0 or rounds
    up to 100 is out of range.
    """
    text = text.strip(" ")
    if len(text) <= _LONGEST and _NUMBER.fullmatch(text):
        value = float(text)
        if 0 < value < 100:
            return value
    raise Refusal.INVALID_NUMBER.error()


def read_pair(first: str, second: str, *, numbers: int) -> Pair:
    """Parse the numbers of a submission; the second one is ignored if the room takes only one."""
    if numbers == 1:
        return read_number(first), None
    if not second.strip(" "):
        raise Refusal.MISSING_NUMBER.error()
    return read_number(first), read_number(second)
