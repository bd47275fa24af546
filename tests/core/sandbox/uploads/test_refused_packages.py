"""Unsafe, damaged, oversized and unsupported uploads are refused, each with its reason and a hint."""

from __future__ import annotations

import random
import stat
import struct
import zipfile
import zlib

import pytest

from arena.core.messages import Message
from arena.core.sandbox.uploads import messages
from arena.core.sandbox.uploads.package import (
    MAX_ARCHIVE_BYTES,
    MAX_FILES,
    MAX_SOURCE_BYTES,
    MAX_UNPACKED_BYTES,
    PackageProblem,
    read_package,
)
from arena.core.sandbox.uploads.problems import HINTS
from tests.core.sandbox.uploads.archives import SOURCE, member, refusal_of, zip_members


def test_every_problem_has_a_hint() -> None:
    assert set(HINTS) == set(PackageProblem)


@pytest.mark.parametrize("data", [b"", b" \n\t", b"\n"])
def test_empty_file_is_refused(data: bytes) -> None:
    assert refusal_of(data, "bot.py").code is PackageProblem.EMPTY
    assert refusal_of(zip_members(("main.py", data))).code is PackageProblem.EMPTY


@pytest.mark.parametrize(("data", "name"), [(b"", "main.py"), (zip_members(("bot.py", SOURCE))[:30], "bot.zip")])
def test_file_without_a_name_gets_a_conventional_one(data: bytes, name: str) -> None:
    assert refusal_of(data, "").message.parameters["name"] == name


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0", "PNG"),
        (b"MZ\x90\0\3", "Windows"),
        (b"\x7fELF\2\1\1\0", "Linux"),
        (b"%PDF-1.7\n", "PDF"),
        (b"\xa7\x0d\x0d\x0a\0\0\0\0code", "compiled"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Office"),
        (b"\n<!DOCTYPE html><html>", "web"),
        (zip_members(("[Content_Types].xml", b"<x/>"), ("word/document.xml", b"<x/>")), "Office"),
    ],
)
def test_other_file_types_are_refused(data: bytes, kind: str) -> None:
    error = refusal_of(data, "bot.py")
    assert error.code is PackageProblem.NOT_PYTHON
    assert error.message.text.startswith("bot.py ")
    assert kind in error.message.text


def test_notebook_is_refused() -> None:
    assert refusal_of(b'{"cells": [], "nbformat": 4}', "bot.ipynb").code is PackageProblem.NOTEBOOK


@pytest.mark.parametrize(
    "data", [b"Rar!\x1a\7\1\0", b"7z\xbc\xaf\x27\x1c\0", b"\x1f\x8b\x08\0", bytes(257) + b"ustar\0"]
)
def test_other_archive_formats_are_refused(data: bytes) -> None:
    assert refusal_of(data, "bot.zip").code is PackageProblem.OTHER_ARCHIVE


def test_zero_bytes_are_reported_with_their_position() -> None:
    error = refusal_of(b"a = 1\nb = '\0'\n", "bot.py")
    assert error.code is PackageProblem.NUL_BYTES
    assert "line 2, column 6" in error.message.text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "x = 1\ny = '棋'\n".encode("gbk"),
            "byte 0xc6 at line 2, column 6",
        ),
        ("# 棋手的程序\n".encode("gbk"), "GBK"),
        (b"x = '\xff'\n", "byte 0xff at line 1, column 6"),
        ("x = 1\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_wrong_encoding_is_refused(source: bytes, expected: str) -> None:
    error = refusal_of(source, "bot.py")
    assert error.code is PackageProblem.WRONG_ENCODING
    assert expected in error.message.text


@pytest.mark.parametrize(
    ("source", "declared"),
    [
        ("# -*- coding: gbk -*-\nx = '棋'\n".encode("gbk"), "gbk"),
        ("# -*- coding: gbk -*-\nx = '棋'\n".encode(), "gbk"),
        ("#!/usr/bin/python\n# vim: set fileencoding=latin-1 :\nx = 'é'\n".encode("latin-1"), "iso-8859-1"),
        (b"# coding: ascii\nx = '\xe9'\n", "ascii"),
        (b"# coding: utf-16\nx = 1\n", "utf-16"),
    ],
)
def test_declared_encoding_other_than_utf8_is_refused(source: bytes, declared: str) -> None:
    error = refusal_of(source, "bot.py")
    assert error.code is PackageProblem.OTHER_ENCODING
    assert f" {declared};" in error.message.text
    assert error.hint == HINTS[error.code]


@pytest.mark.parametrize(
    "data", ["x = '棋'\n".encode("gbk"), "# coding: gbk\nx = '棋'\n".encode("gbk"), "x = 1\n".encode("utf-16")]
)
def test_every_source_file_of_an_archive_is_read(data: bytes) -> None:
    error = refusal_of(zip_members(("main.py", b"import deep.search\n"), ("deep/search.py", data)), "bot.zip")
    assert error.code in (PackageProblem.WRONG_ENCODING, PackageProblem.OTHER_ENCODING)
    assert error.message.text.startswith("deep/search.py ")


def test_data_in_any_encoding_and_empty_modules_are_accepted() -> None:
    files = (("main.py", b"x = 1\n"), ("book.txt", "棋".encode("gbk")), ("deep/__init__.py", b""))
    assert len(read_package(zip_members(*files), "bot.zip").files) == 3


@pytest.mark.parametrize("name", ["klingon", "hex", "rot13", "punycode", "idna", "unicode_escape", "undefined"])
def test_unknown_encoding_is_refused(name: str) -> None:
    error = refusal_of(f"# coding: {name}\nx = 1\n".encode(), "bot.py")
    assert error.code is PackageProblem.UNKNOWN_ENCODING
    assert refusal_of(b"\xef\xbb\xbf# coding: gbk\n", "bot.py").code is PackageProblem.UNKNOWN_ENCODING


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("../evil.py", PackageProblem.UNSAFE_PATH),
        ("bot/../../evil.py", PackageProblem.UNSAFE_PATH),
        ("/etc/passwd", PackageProblem.UNSAFE_PATH),
        ("C:/evil.py", PackageProblem.UNSAFE_PATH),
        ("a//b.py", PackageProblem.UNSAFE_PATH),
        ("./b.py", PackageProblem.UNSAFE_PATH),
        ("a\nb.py", PackageProblem.UNSAFE_PATH),
        ("evil.py\0.txt", PackageProblem.UNSAFE_PATH),
        ("evil\u202eyp.txt", PackageProblem.UNSAFE_PATH),
        ("x" * 101, PackageProblem.UNSAFE_PATH),
        ("x/" * 101, PackageProblem.UNSAFE_PATH),
        ("..\\evil.py", PackageProblem.BACKSLASH),
        ("lib\\b.py", PackageProblem.BACKSLASH),
        ("__MACOSX/../../evil.py", PackageProblem.UNSAFE_PATH),
    ],
)
def test_unsafe_paths_are_refused(name: str, problem: PackageProblem) -> None:
    assert refusal_of(zip_members(("main.py", SOURCE), (member("x", orig=name), b"evil"))).code is problem


@pytest.mark.parametrize(
    ("mode", "problem"),
    [
        (stat.S_IFLNK | 0o777, PackageProblem.SYMLINK),
        (stat.S_IFCHR | 0o666, PackageProblem.SPECIAL_FILE),
        (stat.S_IFBLK | 0o666, PackageProblem.SPECIAL_FILE),
        (stat.S_IFIFO | 0o666, PackageProblem.SPECIAL_FILE),
        (stat.S_IFSOCK | 0o666, PackageProblem.SPECIAL_FILE),
    ],
)
def test_links_and_special_files_are_refused(mode: int, problem: PackageProblem) -> None:
    assert refusal_of(zip_members(("main.py", SOURCE), (member("link", mode), b"/etc/passwd"))).code is problem


@pytest.mark.parametrize(
    "names",
    [
        ("a.py", "a.py"),
        ("a.py", "A.PY"),
        ("straße", "STRASSE"),
        ("caf\u00e9", "cafe\u0301"),
        ("lib", "lib/b.py"),
        ("LIB", "lib/x/b.py"),
        ("main.py", "Main.py"),
    ],
)
def test_duplicate_members_are_refused(names: tuple[str, str]) -> None:
    data = zip_members(("main.py", SOURCE), *((name, b"x") for name in names if name != "main.py"))
    assert refusal_of(data).code is PackageProblem.DUPLICATE


def test_encrypted_archive_is_refused() -> None:
    data = bytearray(zip_members(("main.py", SOURCE)))
    data[6] |= 1
    data[data.index(b"PK\1\2") + 8] |= 1
    assert refusal_of(bytes(data)).code is PackageProblem.ENCRYPTED


def test_other_compression_methods_are_refused() -> None:
    assert refusal_of(zip_members(("main.py", SOURCE), method=zipfile.ZIP_LZMA)).code is PackageProblem.COMPRESSION


def test_zip_bomb_is_refused() -> None:
    zeros = bytes(4 * 1024 * 1024)
    assert refusal_of(zip_members(("main.py", SOURCE), ("zeros", zeros))).code is PackageProblem.BOMB


@pytest.mark.long
def test_archive_too_large_when_unpacked_is_refused() -> None:
    noise = random.Random(0).randbytes(512 * 1024)
    block = b"".join(noise[start : start + 64] + bytes(1024) for start in range(0, len(noise), 64))
    count = MAX_UNPACKED_BYTES // len(block) + 1
    data = zip_members(("main.py", SOURCE), *((f"{n}.bin", block) for n in range(count)))
    assert len(data) < MAX_ARCHIVE_BYTES
    assert refusal_of(data).code is PackageProblem.UNPACKED_TOO_LARGE


@pytest.mark.long
def test_large_upload_is_refused() -> None:
    assert refusal_of(b"#" * (MAX_SOURCE_BYTES + 1), "bot.py").code is PackageProblem.TOO_LARGE
    noise = random.Random(0).randbytes(MAX_ARCHIVE_BYTES)
    assert refusal_of(zip_members(("main.py", SOURCE), ("noise", noise))).code is PackageProblem.TOO_LARGE


def test_too_many_files_are_refused() -> None:
    data = zip_members(("main.py", SOURCE), *((f"{n}.txt", b"") for n in range(MAX_FILES)))
    assert refusal_of(data).code is PackageProblem.TOO_MANY_FILES


def test_too_many_folders_are_refused() -> None:
    """The number of folders is limited, because one path of 200 bytes can contain a hundred of them."""
    deep = "/".join(["a"] * 95)
    data = zip_members(("main.py", SOURCE), *((f"{n}/{deep}/x", b"") for n in range(6)))
    assert refusal_of(data).code is PackageProblem.TOO_MANY_FILES
    assert read_package(zip_members(("main.py", SOURCE), *((f"{n}/{deep}/x", b"") for n in range(5))), "bot.zip")


def test_damaged_archive_is_refused() -> None:
    data = zip_members(("main.py", SOURCE))
    central = data.index(b"PK\1\2")
    damaged = {
        "cut off": data[:-10],
        "no directory": data[:central],
        "nothing but the mark": b"PK\3\4",
        "checksum": _patch(data, central + 16, struct.pack("<I", zlib.crc32(SOURCE) ^ 1)),
        "declares less": _patch(data, central + 24, struct.pack("<I", len(SOURCE) - 1)),
        "declares more": _patch(data, central + 24, struct.pack("<I", len(SOURCE) + 1)),
        "two names": data.replace(b"main.py", b"evil.py", 1),
        "no deflate stream": _patch(data, 30 + len("main.py"), b"\xff" * 8),
        "header elsewhere": _patch(data, central + 42, struct.pack("<I", 5)),
    }
    for what, broken in damaged.items():
        assert refusal_of(broken).code is PackageProblem.DAMAGED_ARCHIVE, what


def test_truncated_member_with_a_matching_checksum_is_refused() -> None:
    """A member whose data exceeds its declared size is refused, even if the checksum matches the truncated data."""
    data = zip_members(("main.py", SOURCE))
    central = data.index(b"PK\1\2")
    data = _patch(data, central + 24, struct.pack("<I", 10))
    data = _patch(data, central + 16, struct.pack("<I", zlib.crc32(SOURCE[:10])))
    assert refusal_of(data).code is PackageProblem.DAMAGED_ARCHIVE


def test_overlapping_members_are_refused() -> None:
    data = zip_members(("main.py", SOURCE), ("b.py", SOURCE))
    second = data.index(b"PK\1\2", data.index(b"PK\1\2") + 1)
    assert "overlap" in refusal_of(_patch(data, second + 42, struct.pack("<I", 0))).message.text


def _patch(data: bytes, start: int, new: bytes) -> bytes:
    """Return the data, with ``new`` overwriting the bytes that begin at index ``start``."""
    return data[:start] + new + data[start + len(new) :]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["bot.py"], messages.NO_MAIN_ONE_SOURCE(path="bot.py")),
        (["b.py", "a.py"], messages.NO_MAIN(paths=("a.py", "b.py"))),
        (["a.txt"], messages.NO_MAIN(paths=("a.txt",))),
        (["Main.py"], messages.MAIN_IN_CAPITALS(path="Main.py")),
        (["a/b/main.py"], messages.MAIN_ELSEWHERE(paths=("a/b/main.py",))),
        (["a/main.py", "readme.txt"], messages.MAIN_ELSEWHERE(paths=("a/main.py",))),
        ([], messages.NO_FILES()),
        (
            [f"{n}.txt" for n in range(10)],
            messages.NO_MAIN(paths=messages.AND_MORE(paths=tuple(f"{n}.txt" for n in range(8)), n=2)),
        ),
    ],
)
def test_missing_main_is_reported_with_the_files_found(names: list[str], message: Message) -> None:
    error = refusal_of(zip_members(*((name, SOURCE) for name in names)))
    assert error.code is PackageProblem.NO_MAIN
    assert error.message == message
