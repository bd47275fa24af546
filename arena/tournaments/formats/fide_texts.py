"""Explain which chapters of the FIDE Handbook a tournament's rules cite, and in which version."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.tournaments.formats.base import RuleText

_CHAPTER: Final = re.compile(r"\bC\.\d\d\b")  # the chapter in citations such as "C.04.2, 3.2"
_CHAPTERS: Final[Mapping[str, Promise]] = {
    "C.04": gettext_lazy("Swiss Rules, version of 1 February 2026."),
    "C.05": gettext_lazy("General Regulations for Competitions."),
    "C.07": gettext_lazy("Tie-Break Regulations, version of 1 August 2024."),
}


def citations_note(rules: Iterable[RuleText]) -> list[RuleText]:
    """Return a note on the chapters that the rules cite, in their order; nothing if the rules cite none."""
    cited = sorted({chapter for rule in rules for text in _texts(rule) for chapter in _CHAPTER.findall(text)})
    if not cited:
        return []
    text = _("The rules cite these chapters of the FIDE Handbook, followed by the article.")
    return [RuleText("fide", _("FIDE articles"), text, tuple((one, str(_CHAPTERS[one])) for one in cited))]


def _texts(rule: RuleText) -> list[str]:
    return [rule.text, *(text for _term, text in rule.points)]
