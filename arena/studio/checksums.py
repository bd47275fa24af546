"""Checksums of files, by which the editor recognizes whether it still shows the text that failed."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping
from typing import Any


def text_checksum(text: str) -> int:
    """Return the CRC-32 of a text with the editor's line endings; ``checksum.js`` computes the same number."""
    return zlib.crc32(text.replace("\r\n", "\n").replace("\r", "\n").encode(errors="replace"))


def with_checksums(faults: Collection[Mapping[str, Any]], sources: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the faults with the checksums of the files at which they point; see ``Diagnosis.to_json`` for the form."""
    checksums = {path: text_checksum(sources[path]) for path in {one["file"] for one in faults} & sources.keys()}
    return [{**one, "checksum": checksums.get(one["file"])} for one in faults]
