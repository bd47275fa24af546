"""Every upload becomes a package within the limits or is refused with a clear message, in bounded time and memory."""

from __future__ import annotations

import io
import struct
import tempfile
import tracemalloc
import warnings
import zipfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.core.sandbox.uploads.package import (
    MAX_FILES,
    MAX_UNPACKED_BYTES,
    Package,
    PackageError,
    PackageProblem,
    read_package,
)
from tests.core.fuzzing import budget, is_clean, within_time_limit
from tests.core.sandbox.uploads.archives import SOURCE

NAMES = st.sampled_from(
    [
        "main.py", "bot/main.py", "lib/a.py", "a/../b.py", "../evil.py", "/etc/passwd", "C:/evil.py", "a\\b.py",
        "a//b.py", "./a.py", "a/", "a/b/", "..", ".", "", "nul\0.py", "Main.py", "MAIN.PY", "bot/Main.py",
        "\u202egnp.py", "e\u0301.py", "\u00e9.py", "\u68cb.py", "x" * 300, "d/" * 120 + "f", "main.py/x",
        "__pycache__/main.pyc", "[Content_Types].xml", ".git/config", "\u2028.py", "\ufeffmain.py", "CON", "a:b",
        "~root", "-rf", "*?",
    ]
) | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)  # fmt: skip
CONTENTS = st.sampled_from(
    [
        SOURCE, b"", b" \n", b"\0", b"x = '\xff'", b"# coding: latin-1\nx = '\xe9'", b"# coding: utf-7\n",
        b"# coding: zip\n", b"\xff\xfea\0", b"\xef\xbb\xbf# coding: gbk\n", b"PK\3\4", b"%PDF", bytes(5000),
        b"a" * 200_000,
    ]
) | st.binary(max_size=60)  # fmt: skip
MODES = st.sampled_from([0, 0o100644, 0o120777, 0o040755, 0o010644, 0o060644, 0o020644, 0o140755, 0o104755, 0o777])
METHODS = st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
# Offset and width of the fields in a central directory entry.
FIELDS = {"flags": (8, 2), "method": (10, 2), "crc": (16, 4), "packed": (20, 4), "size": (24, 4), "name": (28, 2)} | {
    "extra": (30, 2), "comment": (32, 2), "disk": (34, 2), "attributes": (38, 4), "offset": (42, 4)
}  # fmt: skip
LIES = st.sampled_from([0, 1, 8, 30, 99, 0x41, 0x800, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 20]) | st.integers(
    0, 2**32 - 1
)


@st.composite
def archives(draw: st.DrawFn) -> bytes:
    """Draw an archive that zipfile can write, with names and file types that no ordinary archiver uses."""
    target = io.BytesIO(draw(st.sampled_from([b"", b"#!/bin/sh\n"])))
    target.seek(0, io.SEEK_END)
    with warnings.catch_warnings(), zipfile.ZipFile(target, "a") as archive:
        warnings.simplefilter("ignore")  # duplicate names
        for name in draw(st.lists(NAMES, min_size=1, max_size=6)):
            info = zipfile.ZipInfo("x")
            info.filename = name
            info.external_attr = draw(MODES) << 16
            info.extra = draw(st.sampled_from([b"", b"\x75\x70\x05\0\1\0\0\0\0", b"\1\0\x10\0" + b"\xff" * 16, b"\1"]))
            archive.writestr(info, draw(CONTENTS), draw(METHODS))
        archive.comment = draw(st.binary(max_size=30))
    return target.getvalue()


@st.composite
def archives_with_false_directory(draw: st.DrawFn) -> bytes:
    """Draw an archive whose central directory contains forged values."""
    data = bytearray(draw(archives()))
    entries = [at for at in range(len(data) - 46) if data[at : at + 4] == b"PK\1\2"]
    for at in entries and draw(st.lists(st.sampled_from(entries), min_size=1, max_size=3)):
        offset, width = FIELDS[draw(st.sampled_from(sorted(FIELDS)))]
        value = draw(LIES) % (1 << 8 * width)
        data[at + offset : at + offset + width] = struct.pack("<I", value)[:width]
    return bytes(data)


@st.composite
def damaged_archives(draw: st.DrawFn) -> bytes:
    """Draw an archive with bytes replaced, inserted or removed."""
    data = draw(archives())
    for _ in range(draw(st.integers(1, 5))):
        start = draw(st.integers(0, len(data)))
        data = data[:start] + draw(st.binary(max_size=20)) + data[start + draw(st.integers(0, 20)) :]
    return data


STARTS = st.sampled_from(
    [b"", b"PK\3\4", b"PK\5\6" + bytes(18), b"# coding: ", b"# -*- coding:", b"\x89PNG", b'{"cells"', b"\xff\xfe"]
)


def check_package(package: Package) -> None:
    paths = [file.path for file in package.files]
    assert "main.py" in paths
    assert paths == sorted(set(paths))
    assert len(paths) <= MAX_FILES
    assert sum(len(file.data) for file in package.files) <= MAX_UNPACKED_BYTES
    for path in paths:
        assert is_clean(path)
        assert len(path.encode()) <= 200
        assert not path.startswith("/")
        assert not {"", ".", ".."} & set(path.split("/"))
        assert "\\" not in path
    assert len(package.sha256) == 64


def check_refusal(error: PackageError) -> None:
    assert error.code in PackageProblem
    for text in (error.message.text, error.hint):
        assert is_clean(text)
        assert 0 < len(text) < 2_000
        assert text.endswith(".")


def read_or_refuse(data: bytes, filename: str = "bot.zip") -> Package | None:
    with within_time_limit(), warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            package = read_package(data, filename)
        except PackageError as error:
            check_refusal(error)
            return None
    check_package(package)
    return package


@pytest.mark.long
@given(STARTS, st.binary(max_size=400), st.text(max_size=30))
@budget(500)
@example(b"# coding: ", b"idna\n" + b"\xc3\xa4" * 60_000, "bot.py")
@example(b"# coding: ", b"punycode\n" + b"a" * 200_000, "bot.py")
@example(b"# coding: ", b"unicode_escape\n" + b"\\N{" * 100_000, "bot.py")
def test_any_bytes_are_read_or_refused(start: bytes, data: bytes, filename: str) -> None:
    read_or_refuse(start + data, filename)


@pytest.mark.long
@given(archives())
@budget(400)
def test_any_archive_is_read_or_refused(data: bytes) -> None:
    package = read_or_refuse(data)
    if package is not None:
        with tempfile.TemporaryDirectory() as folder:
            package.write_to(Path(folder, "bot"))
            written = {path for path in Path(folder).rglob("*") if not path.is_dir()}
            assert written == {Path(folder, "bot", file.path) for file in package.files}


@pytest.mark.long
@given(archives_with_false_directory())
@budget(500)
def test_archive_with_false_metadata_is_read_or_refused(data: bytes) -> None:
    read_or_refuse(data)


@pytest.mark.long
@given(damaged_archives())
@budget(400)
def test_damaged_archive_is_read_or_refused(data: bytes) -> None:
    read_or_refuse(data)


@pytest.mark.long
@pytest.mark.parametrize("claimed", [0, 1000, MAX_UNPACKED_BYTES, 0xFFFFFFFE])
def test_declared_sizes_cost_no_memory(claimed: int) -> None:
    """Reading 64 MiB of zeros packed into 64 KiB takes little memory, whatever sizes the archive's directory claims."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("main.py", SOURCE)
        archive.writestr("zeros", bytes(2 * MAX_UNPACKED_BYTES))
    data = bytearray(target.getvalue())
    entry = data.rindex(b"PK\1\2")
    data[entry + 24 : entry + 28] = struct.pack("<I", claimed)
    tracemalloc.start()
    try:
        assert read_or_refuse(bytes(data)) is None
        assert tracemalloc.get_traced_memory()[1] < 1.5 * MAX_UNPACKED_BYTES
    finally:
        tracemalloc.stop()
