"""Checksums of files, by which the editor recognizes whether it still shows the text that failed."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping
from typing import Any

from arena.studio.drafts import editable_texts


def text_checksum(text: str) -> int:
    """Return the CRC-32 of ``text`` with the editor's line endings; ``checksum.js`` computes the same number."""
    return zlib.crc32(text.replace("\r\n", "\n").replace("\r", "\n").encode(errors="replace"))


def bot_checksum(texts: Mapping[str, str]) -> int:
    """Return a checksum of all texts and their paths, in any order; ``checksum.js`` computes the same number."""
    total = 0
    for path, text in texts.items():
        total ^= text_checksum(f"{path}\n{text}")
    return total


def with_checksums(faults: Collection[Mapping[str, Any]], sources: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the faults with the checksums of the files at which they point, and of all files that the editor shows.

    See ``Diagnosis.to_json`` for the form of faults.
    """
    bot = bot_checksum(editable_texts(sources))
    checksums = {path: text_checksum(sources[path]) for path in {one["file"] for one in faults} & sources.keys()}
    return [{**one, "checksum": checksums.get(one["file"]), "bot_checksum": bot} for one in faults]
