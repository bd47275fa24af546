"""A file's checksum is the one that the editor computes from the text that it shows."""

from __future__ import annotations

from arena.studio.checksums import bot_checksum, text_checksum, with_checksums
from arena.studio.drafts import EDITABLE_CHARS


def test_checksum_is_that_of_the_editors_text() -> None:
    assert text_checksum("x = 1\n# 黑白棋\n") == 3841864076, "as in tests/js/studio/checksum.test.mjs"
    assert text_checksum("x = 1\r\n# 黑白棋\r") == 3841864076, "the editor shows every line ending as a line feed"


def test_faults_carry_the_checksum_of_their_own_file() -> None:
    found = with_checksums([{"file": "main.py"}, {"file": None}, {"file": "gone.py"}], {"main.py": "", "x.py": "x"})
    assert [one["checksum"] for one in found] == [0, None, None]


def test_checksum_of_all_files_is_that_of_the_editors_tabs() -> None:
    assert bot_checksum({"main.py": "x = 1\r\n", "brain.py": ""}) == 1445528416, "as in the test of the browser module"


def test_faults_carry_the_checksum_of_the_files_that_the_editor_shows() -> None:
    shown = {"main.py": "x", "brain.py": "y"}
    found = with_checksums([{"file": "main.py"}, {"file": None}], {**shown, "weights.txt": "0" * (EDITABLE_CHARS + 1)})
    assert [one["bot_checksum"] for one in found] == [bot_checksum(shown)] * 2
