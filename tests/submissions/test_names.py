from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from arena.submissions.names import clean_name


@pytest.mark.parametrize(
    ("raw", "stored"),
    [
        ("Deep Thought", "Deep Thought"),
        ("  two   spaces  ", "two spaces"),
        ("<b>bold</b>", "<b>bold</b>"),  # text like any other: templates escape it
        ("黄金点", "黄金点"),
        ("e\u0301", "\u00e9"),
        ("👩\u200d🔬 lab", "👩\u200d🔬 lab"),
        ("x" * 40, "x" * 40),
    ],
)
def test_names_that_may_be_had(raw: str, stored: str) -> None:
    assert clean_name(raw) == stored


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("x" * 41, "at most 40 characters; this one has 41"),
        ("x" * 10_000, "at most 40 characters; this one has 10000"),
        ("two\nlines", "control characters"),
        ("bell\x07", "control characters"),
        ("\u202egnp.exe", "invisible"),
        ("a\u2028b", "line breaks"),
        ("\u200b", "invisible"),
        ("\u3164", "invisible"),
        ("ada\u2800", "invisible"),
        ("\u200d\u200d", "at least one visible character"),
        ("\u0301", "at least one visible character"),
        ("   ", "at least one visible character"),
    ],
)
def test_names_that_are_refused(raw: str, reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        clean_name(raw)
