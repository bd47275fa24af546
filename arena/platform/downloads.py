"""Stream downloads: CSV files, and files on disk with range requests (RFC 9110).

CSV files are in UTF-8 with a byte order mark, so that Excel shows Chinese characters correctly.

Invariants: text that begins like a formula is prefixed with an apostrophe, so that no text is evaluated as a formula
(OWASP, CSV injection). Numbers remain numbers, including negative ones.
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
Chunk = TypeVar("Chunk", str, bytes)
BOM: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"
CHUNK_ROWS: Final = 500  # rows in a chunk
CHUNK_BYTES: Final = 256 * 1024  # bytes in a chunk of a file
_RANGE: Final = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")
# First characters of a formula: ASCII, and the full-width forms that some spreadsheets accept.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def escape_formula(cell: Cell) -> Cell:
    """Return the cell with a prefix if a spreadsheet would evaluate it as a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def csv_text(rows: Iterable[Iterable[Cell]]) -> Iterator[str]:
    """Yield the text of a CSV file in chunks of a few hundred rows."""
    buffer = io.StringIO()
    buffer.write(BOM)
    writer = csv.writer(buffer)
    for number, row in enumerate(rows, start=1):
        writer.writerow([escape_formula(cell) for cell in row])
        if number % CHUNK_ROWS == 0:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


def attachment(name: str) -> dict[str, str]:
    """Return headers that make browsers save the file under this ASCII name, and never display or run it."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def stream_download(
    request: HttpRequest, chunks: Iterator[Chunk], content_type: str, name: str
) -> StreamingHttpResponse:
    """Stream the chunks as a file called ``name``.

    Under ASGI, they are iterated asynchronously, because a plain iterator would be exhausted before anything is sent.
    """
    content = _iterate_in_thread(chunks) if isinstance(request, ASGIRequest) else chunks
    headers = {**attachment(name), "Cache-Control": "private, no-store"}
    return StreamingHttpResponse(content, content_type=content_type, headers=headers)


async def _iterate_in_thread(chunks: Iterator[Chunk]) -> AsyncIterator[Chunk]:
    """Iterate in the thread of the request, which has its own database connection."""

    def next_chunk() -> Chunk | None:
        return next(chunks, None)

    while (chunk := await sync_to_async(next_chunk)()) is not None:
        yield chunk


def file_download(
    request: HttpRequest, path: Path, content_type: str, *, sha256: str, name: str = ""
) -> HttpResponseBase:
    """Serve an immutable file, or the requested range of it; ``sha256``, the hash of its content, is the entity tag.

    The file is sent uncompressed, so that a range means the same to every client.
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
    requested = _requested_range(request, etag)
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
    chunks = _file_chunks(path, first, last + 1)
    content = _iterate_in_thread(chunks) if isinstance(request, ASGIRequest) else chunks
    return StreamingHttpResponse(content, status=status, content_type=content_type, headers=headers)


def _requested_range(request: HttpRequest, etag: str) -> tuple[str, str] | None:
    """Return the positions of the first and the last byte of the requested range; None for the whole file.

    Multiple ranges are not supported: a request for them gets the whole file.
    """
    found = _RANGE.fullmatch(request.headers.get("Range", "").replace(" ", ""))
    if found is None or not any(found.groups()) or request.headers.get("If-Range", etag) != etag:
        return None
    return found[1], found[2]


def _range_within(first: str, last: str, size: int) -> tuple[int, int] | None:
    """Return the first and the last byte of the range; None if the range is not satisfiable."""
    if not first:
        length = min(int(last), size)
        return (size - length, size - 1) if length else None
    if last and int(last) < int(first):
        return 0, size - 1  # an invalid range is ignored
    return (int(first), min(int(last or size - 1), size - 1)) if int(first) < size else None


def _file_chunks(path: Path, first: int, end: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(first)
        while first < end and (chunk := file.read(min(CHUNK_BYTES, end - first))):
            first += len(chunk)
            yield chunk
