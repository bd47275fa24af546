"""A submission's files, converted to text for its page.

Invariant: the result is plain text for a template that escapes it. No file's content raises an exception, and the size
of the page is limited.
"""

from __future__ import annotations

import io
import tokenize
from dataclasses import dataclass

from arena.core.plain_text import plain_text
from arena.core.sandbox.uploads.package import MAIN, Package, PackageFile

SHOWN_CHARACTERS = 200_000  # maximum for one file
SHOWN_IN_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file; ``text`` is None if the content is not text, and ``cut`` marks a truncated file.

    ``anchor``: the prefix for the ids of its lines; empty for the first file, so that ``#L12`` is a line in main.py.
    """

    path: str
    anchor: str
    size: int
    text: str | None
    cut: bool


def source_files(package: Package) -> list[SourceFile]:
    """Return all files: main.py first, then the others sorted by path."""
    left = SHOWN_IN_ALL
    shown = []
    for index, file in enumerate(sorted(package.files, key=lambda file: (file.path != MAIN, file.path))):
        text = decode_file(file)
        text = (
            None if text is None else plain_text(text)
        )  # text that displays differently from how it runs deceives its reader
        most = min(SHOWN_CHARACTERS, left)
        if text is not None:
            left -= min(len(text), most)
        cut = text is not None and len(text) > most
        anchor = f"file{index + 1}-" if index else ""
        shown.append(SourceFile(file.path, anchor, len(file.data), text if text is None else text[:most], cut))
    return shown


def decode_file(file: PackageFile) -> str | None:
    """Decode the file with its declared encoding; return None if it is not text."""
    if b"\0" in file.data:
        return None
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(file.data).readline)[0] if _is_python(file.path) else "utf-8-sig"
        return file.data.decode(encoding)
    except (SyntaxError, LookupError, ValueError):
        return None


def texts_of(package: Package) -> dict[str, str]:
    """Return the contents of all text files, by path."""
    return {file.path: text for file in package.files if (text := decode_file(file)) is not None}


def single_source(package: Package) -> str | None:
    """Return the text of a single-file package, which can be edited in the browser; None for any other package."""
    return decode_file(package.files[0]) if len(package.files) == 1 else None


def _is_python(path: str) -> bool:
    return path.endswith((".py", ".pyw", ".pyi"))
