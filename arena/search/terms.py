"""Split names into terms for prefix search.

A name is folded (compatibility forms, accents and case) and split into runs of letters and digits. Each run yields one
term for every position where a word starts: the start of the run, a capital after a lower-case letter, a digit after a
letter or a letter after a digit, and every character in scripts without capitals, such as Chinese, which does not
separate words. A term extends from there to the end of its run, so "MinimaxBot" is found by "min" and "bot", and
"春季周赛" by "周赛".
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

TERM_LENGTH: Final = 48  # maximum number of characters; more than people type
MAX_QUERY_WORDS: Final = 8
_RUN: Final = re.compile(r"[^\W_]+")


def terms_of(name: str) -> dict[bytes, bool]:
    """Return the terms of a name, each mapped to whether the name begins with it."""
    found: dict[bytes, bool] = {}
    for number, run in enumerate(_RUN.findall(_strip_accents(name))):
        for at in _word_starts(run):
            term = _encode_term(run[at:])
            found[term] = found.get(term, False) or (number == 0 and at == 0)
    return found


def words_of(text: str) -> list[bytes]:
    """Return the words of a query: a name matches if each word is a prefix of one of its terms."""
    return list(dict.fromkeys(_encode_term(run) for run in _RUN.findall(_strip_accents(text))))[:MAX_QUERY_WORDS]


def upper_bound(prefix: bytes) -> bytes:
    """Return a value that sorts after all terms with this prefix; it ends with a byte that no UTF-8 text contains."""
    return prefix + b"\xff"


def _word_starts(run: str) -> list[int]:
    return [0, *(at for at in range(1, len(run)) if _begins_word(run[at - 1], run[at]))]


def _begins_word(before: str, here: str) -> bool:
    if unicodedata.category(here) == "Lo":
        return True
    return (here.isupper() and not before.isupper()) or before.isdigit() != here.isdigit()


def _strip_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", "".join(char for char in decomposed if unicodedata.category(char) != "Mn"))


def _encode_term(run: str) -> bytes:
    return run.casefold()[:TERM_LENGTH].encode()
