from __future__ import annotations

from arena.core.sandbox.uploads.package import Package
from arena.submissions import sources
from arena.submissions.sources import single_source, source_files


def test_main_comes_first_and_what_is_no_text_is_named_only() -> None:
    package = Package.of({"a.py": b"a", "main.py": b"m", "table.npy": b"\x93NUMPY\0", "notes.txt": b"\xff\xfe"})
    shown = source_files(package)
    assert [(file.path, file.anchor, file.text) for file in shown] == [
        ("main.py", "", "m"),
        ("a.py", "file2-", "a"),
        ("notes.txt", "file3-", None),
        ("table.npy", "file4-", None),
    ]


def test_a_declared_encoding_is_read() -> None:
    text = "# -*- coding: gbk -*-\n# 黄金点\n"
    assert single_source(Package.of({"main.py": text.encode("gbk")})) == text
    assert single_source(Package.of({"main.py": b"\xef\xbb\xbfx = 1\n"})) == "x = 1\n"
    assert single_source(Package.of({"main.py": b"", "b.py": b""})) is None


def test_a_page_never_gets_endless() -> None:
    files = {f"part{index}.py": b"x" * 300_000 for index in range(10)}
    shown = source_files(Package.of({"main.py": b"m", **files}))
    assert sum(len(file.text or "") for file in shown) == sources.SHOWN_IN_ALL
    assert shown[1].cut
    assert shown[-1].text == ""
    assert shown[-1].cut
