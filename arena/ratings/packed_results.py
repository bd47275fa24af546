"""Pack the results of a day for ``RatedDay``: four arrays of little-endian integers, compressed with zlib."""

from __future__ import annotations

import struct
import zlib
from typing import Final

import numpy as np

from arena.core.ranking.choices import CountedResults, Ints

_HEADER: Final = struct.Struct("<II")  # number of results, number of seats
_LEVEL: Final = 1


def pack_results(results: CountedResults) -> bytes:
    columns = (results.sizes, results.counts, results.entries, results.ranks)
    data = b"".join(column.astype("<i8").tobytes() for column in columns)
    return zlib.compress(_HEADER.pack(len(results.sizes), len(results.entries)) + data, _LEVEL)


def unpack_results(packed: bytes) -> CountedResults:
    data = zlib.decompress(packed)
    results, seats = _HEADER.unpack_from(data)
    place = _HEADER.size

    def column(count: int) -> Ints:
        nonlocal place
        found = np.frombuffer(data, dtype="<i8", count=count, offset=place).astype(np.int64, copy=False)
        place += found.nbytes
        return found

    sizes, counts = column(results), column(results).astype(np.float64)
    return CountedResults(sizes, counts, column(seats), column(seats))
