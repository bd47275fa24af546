"""Translations of strings that pages take from code: docstrings, and comments of example bots.

They are stored in ``locale/<language>/code.toml``.
"""

from __future__ import annotations

import io
import tokenize
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from django.conf import settings
from django.utils.translation import get_language, to_locale

_QUOTES: Final = '"""'


def translated_code_text(text: str) -> str:
    """Return the text in the language of the page; paragraphs without a translation stay in English."""
    known = code_texts(get_language() or "en")
    return "\n\n".join(known.get(one, one).strip() for one in paragraphs(text)) if known else text


def translated_source(source: str) -> str:
    """Return the source of an example bot with comments and docstrings translated into the language of the page."""
    if not code_texts(get_language() or "en"):
        return source
    lines = source.splitlines(keepends=True)
    for token in reversed(list(_texts_of(source))):
        (first, start), (last, end) = token.start, token.end
        written = lines[first - 1][:start] + _translated_token(token.string) + lines[last - 1][end:]
        lines[first - 1 : last] = [written]
    return "".join(lines)


def _texts_of(source: str) -> Iterator[tokenize.TokenInfo]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and token.string.startswith(_QUOTES)):
            yield token


def _translated_token(text: str) -> str:
    translated = translated_code_text(_bare(text))
    if not text.startswith(_QUOTES):
        return f"# {translated}"
    return f"{_QUOTES}{translated}\n{_QUOTES}" if "\n" in text else f"{_QUOTES}{translated}{_QUOTES}"


def _bare(text: str) -> str:
    """Return the text of a comment or docstring without its delimiters."""
    return text.removeprefix(_QUOTES).removesuffix(_QUOTES).strip() if text.startswith(_QUOTES) else text.lstrip("# ")


def paragraphs(text: str) -> list[str]:
    """Split text into paragraphs, with single spaces between words, as in ``code.toml``."""
    return [" ".join(one.split()) for one in text.split("\n\n")]


@cache
def code_texts(language: str) -> Mapping[str, str]:
    """Map each English paragraph to its translation into this language; empty for English."""
    for folder in settings.LOCALE_PATHS:
        path = folder / to_locale(language) / "code.toml"
        if path.exists():
            return tomllib.loads(path.read_text(encoding="utf-8"))
    return {}
