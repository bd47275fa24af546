"""What a bot or a tournament may be called.

Invariant: a name is one line of visible text, composed (NFC), without control or direction
characters; markup in it is text like any other and is escaped wherever it is shown.
"""

from __future__ import annotations

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from arena.submissions.models import NAME_LENGTH

# Joins the parts of an emoji; the only format character that a name needs.
_JOINER = "\N{ZERO WIDTH JOINER}"
# Letters and a symbol by category that are drawn as nothing.
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def clean_name(raw: str, most: int = NAME_LENGTH) -> str:
    """The name as it is stored: composed, with single spaces; raises ValidationError with the reason.

    ``most``: characters it may have.
    """
    words = unicodedata.normalize("NFC", raw).strip().split(" ")
    name = " ".join(word for word in words if word)
    if len(name) > most:
        raise ValidationError(
            _("A name has at most %(most)s characters; this one has %(length)s.") % {"most": most, "length": len(name)}
        )
    if any(_is_unseen(character) for character in name):
        raise ValidationError(_("A name cannot hold line breaks, control characters or invisible ones."))
    if not any(unicodedata.category(character)[0] in "LNSP" for character in name):
        raise ValidationError(_("A name needs at least one visible character."))
    return name


def _is_unseen(character: str) -> bool:
    category = unicodedata.category(character)
    return character != _JOINER and (category[0] == "C" or category in {"Zl", "Zp"} or character in _BLANKS)
