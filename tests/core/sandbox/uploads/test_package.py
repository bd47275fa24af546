"""The same files give the same package in every archive format, and packages are unpacked without following links."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

import pytest

from arena.core.sandbox.uploads.package import (
    Package,
    PackageProblem,
    read_package,
)
from tests.core.sandbox.uploads.archives import SOURCE, refusal_of, zip_members


def paths(package: Package) -> list[str]:
    return [file.path for file in package.files]


def test_single_file_becomes_main() -> None:
    package = read_package(SOURCE, "C:\\homework\\my bot.py")
    assert paths(package) == ["main.py"]
    assert package.files[0].data == SOURCE


def test_archive_with_or_without_a_top_folder_is_the_same_package() -> None:
    flat = zip_members(("main.py", SOURCE), ("lib/table.py", b"A = 1"), ("data.bin", bytes(range(256))))
    nested = zip_members(
        ("bot/", b""),
        ("bot/data.bin", bytes(range(256))),
        ("bot/lib/table.py", b"A = 1"),
        ("bot/main.py", SOURCE),
        method=zipfile.ZIP_STORED,
    )
    assert paths(read_package(flat, "a.zip")) == ["data.bin", "lib/table.py", "main.py"]
    assert read_package(flat, "a.zip") == read_package(nested, "b.zip")


@pytest.mark.parametrize("folder", ["", "bot/"])
def test_main_module_of_an_archive_replaces_a_missing_main_py(folder: str) -> None:
    data = zip_members((f"{folder}__main__.py", SOURCE), (f"{folder}side.py", b"A = 1"))
    assert paths(read_package(data, "botzone.zip")) == ["main.py", "side.py"]
    both = zip_members((f"{folder}__main__.py", b"B = 1"), (f"{folder}main.py", SOURCE))
    assert {file.path: file.data for file in read_package(both, "both.zip").files}["main.py"] == SOURCE


def test_hash_distinguishes_paths_from_contents() -> None:
    one = Package.from_files({"main.py": b"", "ab": b"c"})
    assert (
        len(
            {
                one.sha256,
                Package.from_files({"main.py": b"", "a": b"bc"}).sha256,
                Package.from_files({"main.py": b"ab", "c": b""}).sha256,
            }
        )
        == 3
    )
    assert read_package(SOURCE, "x.py").sha256 == read_package(zip_members(("main.py", SOURCE)), "x.zip").sha256


def test_files_added_by_systems_and_editors_are_ignored() -> None:
    data = zip_members(
        ("bot/main.py", SOURCE),
        ("bot/.DS_Store", b"x"),
        ("__MACOSX/bot/._main.py", b"x"),
        ("bot/__pycache__/main.cpython-311.pyc", b"x"),
        ("bot/old.pyc", b"x"),
        ("bot/.git/config", b"x"),
    )
    assert paths(read_package(data, "bot.zip")) == ["main.py"]


def test_archive_in_an_archive_is_data() -> None:
    inner = zip_members(("../evil", b"x"))
    assert paths(read_package(zip_members(("main.py", SOURCE), ("book.zip", inner)), "a.zip")) == [
        "book.zip",
        "main.py",
    ]


def test_content_decides_rather_than_the_name() -> None:
    assert paths(read_package(zip_members(("main.py", SOURCE)), "bot.py")) == ["main.py"]
    assert refusal_of(SOURCE, "bot.zip").code is PackageProblem.DAMAGED_ARCHIVE


def test_names_written_by_chinese_systems() -> None:
    info = zipfile.ZipInfo("????/main.py")
    raw = zip_members((info, SOURCE)).replace(b"????", "棋手".encode("gbk"))
    assert paths(read_package(raw, "a.zip")) == ["main.py"]
    marked = zip_members(("棋手/main.py", SOURCE), ("棋手/开局.txt", b"x"))
    assert paths(read_package(marked, "a.zip")) == ["main.py", "开局.txt"]


@pytest.mark.parametrize(
    "source",
    [
        "print('棋')\n".encode(),
        b"\xef\xbb\xbfprint('\xe6\xa3\x8b')\n",
        "# -*- coding: utf-8 -*-\nprint('棋')\n".encode(),
        b"#!/usr/bin/python\n# vim: set fileencoding=latin-1 :\nprint('e')\n",  # the content is plain ASCII
        b"GIF89 = 1\n",
        b"MZ = 1\r\n",
        b"BZh = 1",
    ],
)
def test_source_may_use_its_declared_encoding(source: bytes) -> None:
    assert read_package(source, "bot.py").files[0].data == source


def test_package_is_written_to_a_new_folder(tmp_path: Path) -> None:
    package = Package.from_files({"main.py": SOURCE, "lib/deep/a.txt": b"a", "lib/b.txt": b"b"})
    package.write_to(tmp_path / "bot")
    found = {str(p.relative_to(tmp_path / "bot")): p.read_bytes() for p in (tmp_path / "bot").rglob("*") if p.is_file()}
    assert found == {file.path: file.data for file in package.files}
    assert stat.S_IMODE((tmp_path / "bot/lib/deep/a.txt").stat().st_mode) == 0o644
    with pytest.raises(FileExistsError):
        package.write_to(tmp_path / "bot")


def test_write_to_follows_no_links(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "lib").symlink_to(outside)
    (bot / "main.py").symlink_to(outside / "main.py")
    with pytest.raises(OSError, match="lib"):
        Package.from_files({"lib/a.txt": b"a"}).write_to(bot)
    with pytest.raises(FileExistsError):
        Package.from_files({"main.py": b"a"}).write_to(bot)
    assert not list(outside.iterdir())
