"""Tell names apart that look alike: the skeleton of Unicode Technical Standard 39, with case and blanks ignored.

Two names whose skeletons are equal cannot be told apart by a reader: "Ada" with a Greek alpha, "Pau1" and "Paul",
"Torn" and "Tom". A skeleton is for comparing only, never for showing. Whoever needs names that nobody can imitate
stores the skeleton beside the name in a column that is unique, so that two requests at once cannot both be granted.

The table of confusables is Unicode's, from the package confusable-homoglyphs: its release 3.3.1 has the pairs of
Unicode 13. The package compares strings only; the skeleton is made here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final

# Of a skeleton: some characters stand for up to eighteen others.
SKELETON_LENGTH: Final = 255
# Drawn as nothing, though they are no format characters (Cf): the rest of Unicode's Default_Ignorable_Code_Point.
_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
# What bots of the house are called in rooms begins so: "House: trend".
_HOUSE: Final = re.compile(r"[\W_]*house(?:[\W_]|$)")
# Letters in another style, which Unicode's table and NFKC leave as they are.
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
    """The same text for all names that look like this one."""
    folded = unicodedata.normalize("NFKC", _prototypes(_seen(name))).casefold()
    return _prototypes(_seen(folded))[:SKELETON_LENGTH]


def letters_of(name: str) -> str:
    """The letters and digits of its skeleton: what stays of "House: trend" without the marks between them."""
    return "".join(character for character in skeleton(name) if character.isalnum())


def looks_like_house(name: str) -> bool:
    """Whether a name begins as those of the arena's own bots in rooms do, whatever accents it has."""
    readings = (name, unicodedata.normalize("NFKC", name))  # a long s reads as f, or as s
    return any(_HOUSE.match(_without_marks(reading)) is not None for reading in readings)


def _without_marks(name: str) -> str:
    decomposed = unicodedata.normalize("NFD", skeleton(name))
    return "".join(char for char in decomposed if not unicodedata.category(char).startswith("M"))


def _seen(text: str) -> str:
    """Without blanks and whatever is drawn as nothing."""
    kept = (char for char in text if not char.isspace() and unicodedata.category(char) not in ("Cf", "Cc"))
    return _UNSEEN.sub("", "".join(kept))


def _prototypes(text: str) -> str:
    table = _table()
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", "".join(table.get(char, char) for char in decomposed))


@cache
def _table() -> Mapping[str, str]:
    """The prototype of every character that has another one.

    The package lists pairs in both directions: a prototype names all that look like it, and each of them the prototype.
    So of a group that hangs together, the prototype is the member that most others name.
    """
    from confusable_homoglyphs.confusables import confusables_data  # read by those only who compare names

    mark = "\N{LEFT-TO-RIGHT MARK}"  # which Unicode's file sets around letters that are written to the left
    pairs = {
        text.replace(mark, ""): {other["c"].replace(mark, "") for other in others}
        for text, others in confusables_data.items()
    }
    table: dict[str, str] = {}
    for group in _groups(pairs):
        prototype = max(sorted(group), key=lambda text: (len(pairs[text]), len(text)))
        table |= {text: prototype for text in group if len(text) == 1 and text != prototype}
    return _styled(table) | table


def _styled(table: Mapping[str, str]) -> dict[str, str]:
    """Small capitals and letters in filled boxes or circles, each with the plain letter."""
    found = (
        (chr(code), _STYLED_NAME.fullmatch(unicodedata.name(chr(code), "")))
        for block in _STYLED_BLOCKS
        for code in block
    )
    return {char: table.get(match[1], match[1].lower()) for char, match in found if match}


def _groups(pairs: Mapping[str, set[str]]) -> list[set[str]]:
    """Texts that hang together by pairs."""
    groups, left = [], set(pairs)
    while left:
        group, fresh = set(), {left.pop()}
        while fresh:
            group |= fresh
            fresh = {other for text in fresh for other in pairs[text]} - group
        left -= group
        groups.append(group)
    return groups
