"""Files that leave the site, in pieces: CSV in UTF-8, with a byte order mark so that Excel opens Chinese, and files as
they lie on disk, of which clients may ask for ranges (RFC 9110).

Invariants: a text never acts as a formula, whoever chose it (OWASP, CSV injection): one that begins like a formula
gets an apostrophe in front. Numbers stay numbers, negative ones too.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response

Cell: TypeAlias = str | int | float | None
Part = TypeVar("Part", str, bytes)
BOM: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"
PORTION: Final = 500  # rows in a piece
PIECE: Final = 256 * 1024  # bytes of a file
_RANGE: Final = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")
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


def file_download(
    request: HttpRequest, path: Path, content_type: str, *, sha256: str, name: str = ""
) -> HttpResponseBase:
    """A file that never changes, whole or the range that was asked for; ``sha256``: of its content, the entity tag.

    It is sent as it is, however well it would compress: a range of it must mean the same to everybody.
    """
    request.META.pop("HTTP_ACCEPT_ENCODING", None)
    size, etag = path.stat().st_size, f'"{sha256}"'
    headers = {**attachment(name or path.name), "Accept-Ranges": "bytes", "Cache-Control": "public, no-cache"}
    headers["ETag"] = etag
    if (answer := get_conditional_response(request, etag=etag)) is not None:
        for header, value in headers.items():
            answer[header] = value
        return answer
    first, last = 0, size - 1
    status = HTTPStatus.OK
    requested = _asked_range(request, etag)
    if requested is not None:
        found = _range_within(*requested, size)
        if found is None:
            headers["Content-Range"] = f"bytes */{size}"
            return HttpResponse(status=HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, headers=headers)
        first, last = found
        status = HTTPStatus.PARTIAL_CONTENT
        headers["Content-Range"] = f"bytes {first}-{last}/{size}"
    headers["Content-Length"] = str(last - first + 1)
    if request.method == "HEAD":
        return HttpResponse(status=status, content_type=content_type, headers=headers)
    pieces = _file_pieces(path, first, last + 1)
    content = _asynchronous(pieces) if isinstance(request, ASGIRequest) else pieces
    return StreamingHttpResponse(content, status=status, content_type=content_type, headers=headers)


def _asked_range(request: HttpRequest, etag: str) -> tuple[str, str] | None:
    """The ends as they were written; None where the whole file is wanted, or several ranges, which nobody needs."""
    found = _RANGE.fullmatch(request.headers.get("Range", "").replace(" ", ""))
    if found is None or not any(found.groups()) or request.headers.get("If-Range", etag) != etag:
        return None
    return found[1], found[2]


def _range_within(first: str, last: str, size: int) -> tuple[int, int] | None:
    """The first and the last byte; None where there is none of these."""
    if not first:
        length = min(int(last), size)
        return (size - length, size - 1) if length else None
    if last and int(last) < int(first):
        return 0, size - 1  # invalid, so it is ignored
    return (int(first), min(int(last or size - 1), size - 1)) if int(first) < size else None


def _file_pieces(path: Path, first: int, end: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(first)
        while first < end and (piece := file.read(min(PIECE, end - first))):
            first += len(piece)
            yield piece
