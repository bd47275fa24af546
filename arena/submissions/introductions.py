"""What a house bot says of itself beyond its description: the docstring of the files that play, without its first
sentence, which is the description.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from arena.core.sandbox.uploads.package import MAIN, Package
from arena.submissions import store
from arena.submissions.blobs import StoreAway
from arena.submissions.house import first_sentence
from arena.submissions.models import Bot


@dataclass(frozen=True, slots=True)
class Introduction:
    """``submission``: whose source it is from."""

    submission: int
    paragraphs: tuple[str, ...]


def introduction(bot_id: int) -> Introduction | None:
    """Of a house bot that plays; None for all others: what students write in their files is theirs."""
    row = Bot.objects.filter(pk=bot_id, is_house=True).values_list("active_id", "active__sha256").first()
    if row is None or row[0] is None:
        return None
    submission, sha256 = row
    try:
        return Introduction(submission, paragraphs(store.load(sha256)))
    except (store.ContentLost, StoreAway):
        return Introduction(submission, ())


def paragraphs(package: Package) -> tuple[str, ...]:
    """The docstring of main.py after its first sentence, a line each; empty where there is none."""
    main = next((file.data for file in package.files if file.path == MAIN), b"")
    try:
        docstring = ast.get_docstring(ast.parse(main)) or ""
    except (SyntaxError, ValueError):
        return ()
    first, *others = [" ".join(part.split()) for part in docstring.split("\n\n")]
    rest = first.removeprefix(first_sentence(first)).strip()
    return tuple(part for part in (rest, *others) if part)
