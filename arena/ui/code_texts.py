"""Translations of texts that pages take from code, such as docstrings: ``locale/<language>/code.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache

from django.conf import settings
from django.utils.translation import get_language, to_locale


def translated_code_text(text: str) -> str:
    """Return the text in the language of the page; paragraphs without a translation stay in English."""
    known = code_texts(get_language() or "en")
    return "\n\n".join(known.get(one, one) for one in paragraphs(text)) if known else text


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs with single spaces, as they are written in ``code.toml``."""
    return [" ".join(one.split()) for one in text.split("\n\n")]


@cache
def code_texts(language: str) -> Mapping[str, str]:
    """Return the translations of a language by English paragraph; empty for English."""
    for folder in settings.LOCALE_PATHS:
        path = folder / to_locale(language) / "code.toml"
        if path.exists():
            return tomllib.loads(path.read_text(encoding="utf-8"))
    return {}
