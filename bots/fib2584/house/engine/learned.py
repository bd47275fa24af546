"""Afterstate values from temporal-difference learning, stored in ``learned.bin``.

``python -m bots train fib2584 --export-learned`` writes the file. It contains, compressed with zlib, the number of
boards, the differences between their sorted codes (unsigned 32 bits each), and the values in eighths of a point
(unsigned 16 bits), all little-endian.
"""

import struct
import zlib
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path

_EIGHTHS = 8


@cache
def learned_values() -> dict[int, float]:
    """Return the value of each canonical afterstate, keyed by its code."""
    raw = zlib.decompress(Path(__file__).with_suffix(".bin").read_bytes())
    (count,) = struct.unpack_from("<I", raw)
    codes = accumulate(struct.unpack_from(f"<{count}I", raw, 4))
    eighths = struct.unpack_from(f"<{count}H", raw, 4 + 4 * count)
    return {code: value / _EIGHTHS for code, value in zip(codes, eighths, strict=True)}


def pack_values(codes: Sequence[int], values: Sequence[float]) -> bytes:
    """Return the content of ``learned.bin``; ``codes`` are in ascending order."""
    steps = (code - before for code, before in zip(codes, (0, *codes[:-1]), strict=True))
    eighths = (max(0, round(value * _EIGHTHS)) for value in values)
    return zlib.compress(struct.pack(f"<I{len(codes)}I{len(codes)}H", len(codes), *steps, *eighths), level=9)
