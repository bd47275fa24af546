"""A report as bytes: zlib-compressed MessagePack."""

from __future__ import annotations

import zlib
from typing import Final

import msgspec

from arena.games.golden_point.evaluation.report import Report

# Raised whenever the analysis comes to other results: reports of earlier versions are drawn up anew.
VERSION: Final = 3


def pack(report: Report) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(report), level=3)


def unpack(data: bytes) -> Report:
    """The inverse of ``pack``; raises ValueError for other bytes."""
    try:
        return msgspec.msgpack.decode(zlib.decompress(data), type=Report)
    except (zlib.error, msgspec.DecodeError) as error:
        raise ValueError(f"not a report: {error}") from None
