"""Texts stored in several languages, by language and field: ``{"zh-hans": {"name": …}}``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import get_language

ENGLISH: Final = "en"

Texts = Mapping[str, Mapping[str, Any]]


def in_language(texts: Texts, field: str) -> Any:
    """Return the field in the language of the page, otherwise in English; None if it has neither."""
    found = (texts.get(language, {}).get(field) for language in (get_language() or ENGLISH, ENGLISH))
    return next((one for one in found if one), None)
