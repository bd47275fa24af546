from __future__ import annotations

from arena.core.sandbox.uploads.package import Package
from arena.submissions import sources
from arena.submissions.sources import single_source, source_files


def test_main_file_is_first_and_binary_files_are_only_named() -> None:
    package = Package.from_files({"a.py": b"a", "main.py": b"m", "table.npy": b"\x93NUMPY\0", "notes.txt": b"\xff\xfe"})
    shown = source_files(package)
    assert [(file.path, file.anchor, file.text) for file in shown] == [
        ("main.py", "", "m"),
        ("a.py", "file2-", "a"),
        ("notes.txt", "file3-", None),
        ("table.npy", "file4-", None),
    ]


def test_declared_encoding_is_respected() -> None:
    text = "# -*- coding: gbk -*-\n# 黄金点\n"
    assert single_source(Package.from_files({"main.py": text.encode("gbk")})) == text
    assert single_source(Package.from_files({"main.py": b"\xef\xbb\xbfx = 1\n"})) == "x = 1\n"
    assert single_source(Package.from_files({"main.py": b"", "b.py": b""})) is None


def test_total_source_shown_is_limited() -> None:
    files = {f"part{index}.py": b"x" * 300_000 for index in range(10)}
    shown = source_files(Package.from_files({"main.py": b"m", **files}))
    assert sum(len(file.text or "") for file in shown) == sources.SHOWN_IN_ALL
    assert shown[1].cut
    assert shown[-1].text == ""
    assert shown[-1].cut
