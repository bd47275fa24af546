"""Downloads: cells are never formulas, large files are streamed, and files support range requests."""

from pathlib import Path

import pytest
from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.test import AsyncRequestFactory, RequestFactory

from arena.platform.downloads import BOM, CHUNK_ROWS, csv_text, escape_formula, file_download


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "－1"])
def test_text_that_looks_like_a_formula_is_neutralised(text: str) -> None:
    assert escape_formula(text) == f"'{text}"


@pytest.mark.parametrize("cell", ["a=1", "金点", "", -3.5, -1, None, "1-1"])
def test_other_text_is_unchanged(cell: object) -> None:
    assert escape_formula(cell) == cell


def test_large_table_is_streamed() -> None:
    chunks = list(csv_text([number] for number in range(2 * CHUNK_ROWS + 1)))
    assert len(chunks) == 3
    assert "".join(chunks).removeprefix(BOM).split("\r\n")[:-1] == [str(number) for number in range(2 * CHUNK_ROWS + 1)]


BODY = bytes(range(256)) * 4
DIGEST = "ab" * 32


@pytest.fixture
def on_disk(tmp_path: Path) -> Path:
    path = tmp_path / "moves.parquet"
    path.write_bytes(BODY)
    return path


def fetch(path: Path, method: str = "get", **headers: str) -> HttpResponseBase:
    request = getattr(RequestFactory(headers={"Accept-Encoding": "gzip", **headers}), method)("/")
    response = file_download(request, path, "application/octet-stream", sha256=DIGEST)
    middleware = GZipMiddleware(lambda _: response)  # compression would change the meaning of ranges
    return middleware(request)


def body(response: HttpResponseBase) -> bytes:
    return b"".join(response) if response.streaming else response.content


def test_file_is_sent_whole_as_an_attachment() -> None:
    response = fetch(Path(__file__))
    assert response.status_code == 200
    assert body(response) == Path(__file__).read_bytes()
    assert response["Content-Disposition"] == 'attachment; filename="test_downloads.py"'
    assert response["ETag"] == f'"{DIGEST}"'
    assert response["Accept-Ranges"] == "bytes"
    assert not response.has_header("Content-Encoding")


@pytest.mark.parametrize(
    ("requested", "first", "last"),
    [
        ("0-0", 0, 0),
        ("10-19", 10, 19),
        ("1000-", 1000, 1023),
        ("-24", 1000, 1023),
        ("-5000", 0, 1023),
        ("9-5000", 9, 1023),
    ],
)
def test_range_request_returns_that_part(on_disk: Path, requested: str, first: int, last: int) -> None:
    response = fetch(on_disk, Range=f"bytes={requested}")
    assert response.status_code == 206
    assert response["Content-Range"] == f"bytes {first}-{last}/1024"
    assert body(response) == BODY[first : last + 1]
    assert int(response["Content-Length"]) == last - first + 1


@pytest.mark.parametrize("requested", ["bytes=1024-", "bytes=-0", f"bytes={10**17}-"])
def test_range_beyond_the_end_is_refused(on_disk: Path, requested: str) -> None:
    response = fetch(on_disk, Range=requested)
    assert response.status_code == 416
    assert response["Content-Range"] == "bytes */1024"
    assert body(response) == b""


@pytest.mark.parametrize(
    "requested", ["bytes=0-1,5-6", "lines=1-2", "bytes=-", "bytes=9-3", "bytes=a-b", f"bytes={'9' * 99}-"]
)
def test_anything_but_a_single_range_is_ignored(on_disk: Path, requested: str) -> None:
    response = fetch(on_disk, Range=requested)
    assert body(response) == BODY
    assert response["Content-Length"] == "1024"


def test_range_of_another_version_returns_the_whole_file(on_disk: Path) -> None:
    assert fetch(on_disk, Range="bytes=0-1", **{"If-Range": '"other"'}).status_code == 200
    assert fetch(on_disk, Range="bytes=0-1", **{"If-Range": f'"{DIGEST}"'}).status_code == 206


def test_matching_etag_returns_not_modified(on_disk: Path) -> None:
    response = fetch(on_disk, **{"If-None-Match": f'"{DIGEST}"'})
    assert response.status_code == 304
    assert response["ETag"] == f'"{DIGEST}"'
    assert fetch(on_disk, **{"If-Match": '"other"'}).status_code == 412


def test_head_request_returns_the_length_without_a_body(on_disk: Path) -> None:
    response = fetch(on_disk, "head")
    assert (response.status_code, response["Content-Length"], body(response)) == (200, "1024", b"")


async def test_asynchronous_server_streams_the_file(on_disk: Path) -> None:
    request = AsyncRequestFactory().get("/")
    response = file_download(request, on_disk, "application/octet-stream", sha256=DIGEST)
    assert isinstance(response, StreamingHttpResponse)
    assert response.is_async
    assert b"".join([piece async for piece in response]) == BODY
