"""Detect names that look alike: the skeleton of Unicode Technical Standard 39, ignoring case and whitespace.

Readers cannot distinguish names with equal skeletons: "Ada" with a Greek alpha, "Pau1" and "Paul", "Torn" and "Tom". A
skeleton is for comparison only, never for display. Models whose names must be unique store the skeleton in a unique
column, so that two simultaneous requests cannot both succeed.

The table of confusables is Unicode's, from the package confusable-homoglyphs: its release 3.3.1 contains the pairs of
Unicode 13. The package only compares strings; the skeleton is computed here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final

# Maximum length of a skeleton: some characters expand to up to eighteen others.
SKELETON_LENGTH: Final = 255
# Invisible, though not format characters (Cf): the rest of Unicode's Default_Ignorable_Code_Point.
_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
# Prefix of the built-in players' names in every language of the site: "House: trend", "内置：趋势".
_RESERVED_PREFIX: Final = re.compile(r"[\W_]*(?:house|内置)(?:[\W_]|$)")
# Stylized letters that neither Unicode's table nor NFKC maps.
_STYLED_NAME: Final = re.compile(
    "(?:LATIN LETTER SMALL CAPITAL|NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER|REGIONAL INDICATOR SYMBOL LETTER)"
    " ([A-Z])"
)
_STYLED_BLOCKS: Final = (
    range(0x0250, 0x02B0),
    range(0x1D00, 0x1D80),
    range(0xA720, 0xA800),
    range(0x1F100, 0x1F200),
)


def skeleton(name: str) -> str:
    """Return the skeleton of a name; names that look alike share one skeleton."""
    folded = unicodedata.normalize("NFKC", _prototypes(_strip_invisible(name))).casefold()
    return _prototypes(_strip_invisible(folded))[:SKELETON_LENGTH]


def letters_of(name: str) -> str:
    """Return the letters and digits of a name's skeleton, without punctuation."""
    return "".join(character for character in skeleton(name) if character.isalnum())


def has_reserved_prefix(name: str) -> bool:
    """Return whether a name begins like the built-in players' names; accents are ignored."""
    readings = (name, unicodedata.normalize("NFKC", name))  # a long s may read as f or as s
    return any(_RESERVED_PREFIX.match(_strip_marks(reading)) is not None for reading in readings)


def _strip_marks(name: str) -> str:
    decomposed = unicodedata.normalize("NFD", skeleton(name))
    return "".join(char for char in decomposed if not unicodedata.category(char).startswith("M"))


def _strip_invisible(text: str) -> str:
    """Remove whitespace and invisible characters."""
    kept = (char for char in text if not char.isspace() and unicodedata.category(char) not in ("Cf", "Cc"))
    return _UNSEEN.sub("", "".join(kept))


def _prototypes(text: str) -> str:
    table = _prototype_table()
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", "".join(table.get(char, char) for char in decomposed))


@cache
def _prototype_table() -> Mapping[str, str]:
    """Return the prototype of every confusable character.

    The package ``confusable_homoglyphs`` lists pairs in both directions: a prototype lists all characters that look
    like it, and each of them lists the prototype. In each connected component, the prototype is therefore the character
    that most others list.
    """
    from confusable_homoglyphs.confusables import confusables_data  # imported only where names are compared

    mark = "\N{LEFT-TO-RIGHT MARK}"  # Unicode's file puts this mark around right-to-left letters
    pairs = {
        text.replace(mark, ""): {other["c"].replace(mark, "") for other in others}
        for text, others in confusables_data.items()
    }
    table: dict[str, str] = {}
    for group in _connected_components(pairs):
        prototype = max(sorted(group), key=lambda text: (len(pairs[text]), len(text)))
        table |= {text: prototype for text in group if len(text) == 1 and text != prototype}
    return _plain_letters(table) | table


def _plain_letters(table: Mapping[str, str]) -> dict[str, str]:
    """Map small capitals and letters in filled boxes or circles to plain letters."""
    found = (
        (chr(code), _STYLED_NAME.fullmatch(unicodedata.name(chr(code), "")))
        for block in _STYLED_BLOCKS
        for code in block
    )
    return {char: table.get(match[1], match[1].lower()) for char, match in found if match}


def _connected_components(pairs: Mapping[str, set[str]]) -> list[set[str]]:
    """Return the connected components of the graph whose edges are these pairs."""
    groups, left = [], set(pairs)
    while left:
        group, fresh = set(), {left.pop()}
        while fresh:
            group |= fresh
            fresh = {other for text in fresh for other in pairs[text]} - group
        left -= group
        groups.append(group)
    return groups
