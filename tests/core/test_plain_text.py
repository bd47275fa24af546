"""Text from untrusted sources is harmless when shown."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.plain_text import one_line, plain_text

BIDIRECTIONAL = [
    chr(code)
    for code in range(0x110000)
    if unicodedata.bidirectional(chr(code)) in {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[1;1Hgone", "gone"),
        ("\x1b]0;a window's title\x07text", "text"),
        ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bP+q544e\x1b\\", ""),
        ("\x9b31mred\x9bm", "red"),
        ("\x1b(0lines\x1bc", "lines"),
        ("\x1b[\x1b[31m31mx", "\ufffd[31mx"),  # the remainder does not form a sequence again
        ("\x1b", "\ufffd"),
        ("10%\r20%\r\n", "10%\n20%\n"),
        ("over\x08\x08\x08\x08it", "over" + 4 * "\ufffd" + "it"),
        ("user\u202e }if(isAdmin\u2066", "user\ufffd }if(isAdmin\ufffd"),
        ("a\u2028b", "a\ufffdb"),
        ("\ud800", "?"),
        ("黄金点 é \U0001f468\u200d\U0001f469 \u05d0\tx\n", "黄金点 é \U0001f468\u200d\U0001f469 \u05d0\tx\n"),
    ],
)
def test_text_is_shown_without_control_characters(text: str, shown: str) -> None:
    assert plain_text(text) == shown


def test_every_bidirectional_control_is_known() -> None:
    assert BIDIRECTIONAL
    controls = [*BIDIRECTIONAL, *"\u200e\u200f\u061c"]
    assert not set(plain_text("".join(controls))) & set(controls)


@given(st.text())
def test_no_active_control_characters_remain(text: str) -> None:
    shown = plain_text(text)
    assert not [char for char in shown if unicodedata.category(char) in ("Cc", "Cs") and char not in "\n\t"]
    assert plain_text(shown) == shown
    assert "\n" not in one_line(text)
    assert "\t" not in one_line(text)


def test_names_are_a_single_line() -> None:
    assert one_line("  my\nbot\x1b[1A\u202egnp.py ") == "my bot\ufffdgnp.py"


@pytest.mark.long
def test_hostile_text_is_processed_quickly() -> None:
    for text in ("\x1b[" * 200_000, "\x1b]" * 200_000, "\x1b]" + "0" * 10**6, "\x1b " * 200_000):
        plain_text(text)


def test_unterminated_sequences_are_processed_quickly() -> None:
    """Many unterminated sequences cost little time.

    Regression test: searching 4096 characters for the end of each sequence took seconds for one log.
    """
    begun = time.process_time()
    plain_text("\x9d" * 131_072)
    assert time.process_time() - begun < 1.0
