"""A file's checksum is the one that the editor computes from the text that it shows."""

from __future__ import annotations

from arena.studio.checksums import text_checksum, with_checksums


def test_checksum_is_that_of_the_editors_text() -> None:
    assert text_checksum("x = 1\n# 黑白棋\n") == 3841864076, "as in tests/js/studio/checksum.test.mjs"
    assert text_checksum("x = 1\r\n# 黑白棋\r") == 3841864076, "the editor shows every line ending as a line feed"


def test_faults_carry_the_checksum_of_their_own_file() -> None:
    found = with_checksums([{"file": "main.py"}, {"file": None}, {"file": "gone.py"}], {"main.py": "", "x.py": "x"})
    assert [one["checksum"] for one in found] == [0, None, None]
