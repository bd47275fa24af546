"""Text stored in several languages, by language and field: ``{"zh-hans": {"name": …}}``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

from django.utils.translation import get_language

ENGLISH: Final = "en"

Texts = Mapping[str, Mapping[str, Any]]


class NamedRow(Protocol):
    """A row with a name; ``texts`` contains its "name" in other languages."""

    @property
    def name(self) -> str: ...
    @property
    def texts(self) -> Texts: ...


def sentence_space() -> str:
    """Return the separator between two sentences: a space, or nothing in Chinese."""
    return "" if (get_language() or ENGLISH).startswith("zh") else " "


def ordinal(rank: int) -> str:
    """Format a rank for use in a sentence: "12th" in English, the plain number in other languages."""
    if not (get_language() or ENGLISH).startswith(ENGLISH):
        return str(rank)
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"


def localized_text(texts: Texts, field: str) -> Any:
    """Return the field in the page's language, or in English if untranslated; None if it is in neither language."""
    found = (texts.get(language, {}).get(field) for language in (get_language() or ENGLISH, ENGLISH))
    return next((one for one in found if one), None)


def localized_name(row: NamedRow) -> str:
    """Return the name in the language of the page; names chosen by people are the same in every language."""
    return str(localized_text(row.texts, "name") or row.name)


def name_for_reader(name: str, translated: Mapping[str, str]) -> str:
    """Return the name in the language of the page; ``translated``: see ``translated_names``."""
    return translated.get(get_language() or ENGLISH, name)


def translated_names(row: NamedRow) -> dict[str, str]:
    """Return the row's translated names by language, for events whose readers use different languages."""
    return names_by_language(row.texts)


def names_by_language(texts: Texts) -> dict[str, str]:
    return {language: fields["name"] for language, fields in texts.items() if fields.get("name")}
