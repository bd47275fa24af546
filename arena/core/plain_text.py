"""Make untrusted text safe to show in a terminal, on a page and in a file.

Terminal escapes can move the cursor, rename the window and hide output; bidirectional controls make a line display
differently from how it is stored ("Trojan Source", CVE-2021-42574). Whole escape sequences are removed, so that
coloured output stays readable; every other control character becomes U+FFFD, so that it stays visible.

Invariant: except for line feeds and tabs, the results contain no control characters, and they contain no
bidirectional formatting characters, line separators or lone surrogates. ``one_line`` also replaces line feeds and tabs.
"""

from __future__ import annotations

import re
from typing import Final

_SEQUENCES: Final = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]"  # colours, cursor, erasing (CSI)
    "|(?:\x1b[\\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]{0,4096}(?:\x07|\x1b\\\\|\x9c)"  # titles
    "|\x1b[ -/]{0,4}[0-Z\\\\^-~]"  # character sets, resets
)
_LINE_ENDS: Final = re.compile("\r\n?")
_SHOWN: Final = frozenset("\n\t")
# The characters with the Unicode property Bidi_Control.
_BIDIRECTIONAL: Final = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_CONTROL: Final = {
    ord(char): "\N{REPLACEMENT CHARACTER}"
    for char in (*map(chr, (*range(32), *range(127, 160))), *"\u2028\u2029", *_BIDIRECTIONAL)
    if char not in _SHOWN
}


def plain_text(text: str) -> str:
    """Return the text without anything that affects how it is displayed, except for line breaks and tabs."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():  # the common case
        return text
    text = _LINE_ENDS.sub("\n", _SEQUENCES.sub("", text))
    return text.translate(_CONTROL).encode("utf-8", "replace").decode("utf-8")


def one_line(text: str) -> str:
    """Return the text as a single line, for the names of files and bots."""
    return " ".join(plain_text(text).split())
