"""Checksums of files, by which the page recognizes whether the editor still shows what was checked or run."""

from __future__ import annotations

import zlib
from collections.abc import Mapping


def bot_checksum(texts: Mapping[str, str]) -> int:
    """Return a checksum of all texts and their paths, in any order; ``checksum.js`` computes the same number."""
    total = 0
    for path, text in texts.items():
        total ^= _text_checksum(f"{path}\n{text}")
    return total


def _text_checksum(text: str) -> int:
    """Return the CRC-32 of a text with the editor's line endings."""
    return zlib.crc32(text.replace("\r\n", "\n").replace("\r", "\n").encode(errors="replace"))
