"""Files that leave the site; CSV in UTF-8, with a byte order mark so that Excel opens Chinese, in pieces.

Invariants: a text never acts as a formula, whoever chose it (OWASP, CSV injection): one that begins like a formula
gets an apostrophe in front. Numbers stay numbers, negative ones too.
"""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Final, TypeAlias, TypeVar

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse

Cell: TypeAlias = str | int | float | None
Part = TypeVar("Part", str, bytes)
BOM: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"
PORTION: Final = 500  # rows in a piece
# As ASCII and as the full-width forms that some spreadsheets take for them.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def safe(cell: Cell) -> Cell:
    """The cell, as a text that no spreadsheet computes."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def csv_text(rows: Iterable[Iterable[Cell]]) -> Iterator[str]:
    """The file in pieces of some hundred rows."""
    buffer = io.StringIO()
    buffer.write(BOM)
    writer = csv.writer(buffer)
    for number, row in enumerate(rows, start=1):
        writer.writerow([safe(cell) for cell in row])
        if number % PORTION == 0:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


def attachment(name: str) -> dict[str, str]:
    """The headers of a file that a browser keeps under this name, in ASCII, and never shows or runs."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def download(request: HttpRequest, pieces: Iterator[Part], content_type: str, name: str) -> StreamingHttpResponse:
    """Piece by piece, however large it is: an asynchronous server would read a plain iterator to its end first."""
    content = _asynchronous(pieces) if isinstance(request, ASGIRequest) else pieces
    headers = {**attachment(name), "Cache-Control": "private, no-store"}
    return StreamingHttpResponse(content, content_type=content_type, headers=headers)


async def _asynchronous(pieces: Iterator[Part]) -> AsyncIterator[Part]:
    """In the thread of the request, which has its own connection to the database."""

    def following() -> Part | None:
        return next(pieces, None)

    while (piece := await sync_to_async(following)()) is not None:
        yield piece
