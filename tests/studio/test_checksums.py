"""The checksum of a bot's files is the one that the editor computes from the texts that it shows."""

from __future__ import annotations

from arena.studio.checksums import bot_checksum

CHINESE = 299601699


def test_checksum_is_that_of_the_editors_text() -> None:
    assert bot_checksum({"main.py": "x = 1\n# 黑白棋\n"}) == CHINESE, "as in tests/js/studio/checksum.test.mjs"
    assert bot_checksum({"main.py": "x = 1\r\n# 黑白棋\r"}) == CHINESE, "every line ending is a line feed in the editor"


def test_checksum_is_that_of_all_tabs() -> None:
    assert bot_checksum({"main.py": "x = 1\r\n", "brain.py": ""}) == 1445528416, "as in the test of the browser module"
