"""Validate names of bots and tournaments.

Invariant: a name is one line of visible text in NFC, without control characters or bidirectional formatting characters.
Markup in it is ordinary text and is escaped wherever it is shown.
"""

from __future__ import annotations

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from arena.submissions.models import NAME_LENGTH

# Joins the parts of an emoji; the only permitted format character.
_JOINER = "\N{ZERO WIDTH JOINER}"
# Letters and a symbol that are invisible despite their category.
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def clean_name(raw: str, max_length: int = NAME_LENGTH) -> str:
    """Return the name as stored: in NFC, with single spaces. Raises ValidationError with the reason.

    ``max_length``: maximum number of characters.
    """
    words = unicodedata.normalize("NFC", raw).strip().split(" ")
    name = " ".join(word for word in words if word)
    if len(name) > max_length:
        raise ValidationError(
            _("Names can have at most %(most)s characters; this one has %(length)s. Choose a shorter one.")
            % {"most": max_length, "length": len(name)},
            code="too_long",
        )
    if any(_is_invisible(character) for character in name):
        raise ValidationError(
            _("A name cannot contain line breaks, control characters or invisible characters. Remove them."),
            code="characters",
        )
    if not any(unicodedata.category(character)[0] in "LNSP" for character in name):
        raise ValidationError(_("Enter a name with at least one visible character."), code="invisible")
    return name


def _is_invisible(character: str) -> bool:
    category = unicodedata.category(character)
    return character != _JOINER and (category[0] == "C" or category in {"Zl", "Zp"} or character in _BLANKS)
