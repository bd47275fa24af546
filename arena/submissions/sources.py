"""The files of a submission as text for the page that shows them.

Invariant: what comes out is plain text for a template that escapes it; whatever the bytes are,
nothing raises and no file makes the page endless.
"""

from __future__ import annotations

import io
import tokenize
from dataclasses import dataclass

from arena.core.plain_text import plain_text
from arena.core.sandbox.uploads.package import MAIN, Package, PackageFile

SHOWN_CHARACTERS = 200_000  # of one file
SHOWN_IN_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file; ``text`` is None where it is not text, and ``cut`` tells that there is more of it.

    ``anchor`` goes before the names of its lines: nothing for the first file, so that ``#L12`` is a line of main.py.
    """

    path: str
    anchor: str
    size: int
    text: str | None
    cut: bool


def source_files(package: Package) -> list[SourceFile]:
    """Every file, main.py first, then by path."""
    left = SHOWN_IN_ALL
    shown = []
    for index, file in enumerate(sorted(package.files, key=lambda file: (file.path != MAIN, file.path))):
        text = as_text(file)
        text = None if text is None else plain_text(text)  # a line that reads otherwise than it runs fools its reader
        most = min(SHOWN_CHARACTERS, left)
        if text is not None:
            left -= min(len(text), most)
        cut = text is not None and len(text) > most
        anchor = f"file{index + 1}-" if index else ""
        shown.append(SourceFile(file.path, anchor, len(file.data), text if text is None else text[:most], cut))
    return shown


def as_text(file: PackageFile) -> str | None:
    """The file as text in the encoding that it declares; None where it is none."""
    if b"\0" in file.data:
        return None
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(file.data).readline)[0] if _is_python(file.path) else "utf-8-sig"
        return file.data.decode(encoding)
    except (SyntaxError, LookupError, ValueError):
        return None


def single_source(package: Package) -> str | None:
    """The text of a package that is one file, which can be edited in the browser."""
    return as_text(package.files[0]) if len(package.files) == 1 else None


def _is_python(path: str) -> bool:
    return path.endswith((".py", ".pyw", ".pyi"))
