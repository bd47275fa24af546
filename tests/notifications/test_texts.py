"""The sentences of a notification are joined as the reader's language requires."""

from __future__ import annotations

import pytest
from django.utils import translation

from arena.notifications.models import Kind
from arena.notifications.texts import TEXTS


@pytest.mark.parametrize(("language", "gaps"), [("en", 1), ("zh-hans", 0)])
def test_chinese_sentences_are_joined_without_spaces(language: str, gaps: int) -> None:
    context = {"tournament": "Cup", "tournament_id": 1, "places": [["Alpha", None], ["Beta", None]], "entries": 5}
    with translation.override(language):
        body = TEXTS[Kind.RESULT](context).body
    assert sum(body.count(f"{mark} ") for mark in ".。") == gaps
