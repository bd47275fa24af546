from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from arena.submissions.names import clean_name


@pytest.mark.parametrize(
    ("raw", "stored"),
    [
        ("Deep Thought", "Deep Thought"),
        ("  two   spaces  ", "two spaces"),
        ("<b>bold</b>", "<b>bold</b>"),  # ordinary text: templates escape it
        ("黄金点", "黄金点"),
        ("e\u0301", "\u00e9"),
        ("👩\u200d🔬 lab", "👩\u200d🔬 lab"),
        ("x" * 40, "x" * 40),
    ],
)
def test_valid_name_is_accepted(raw: str, stored: str) -> None:
    assert clean_name(raw) == stored


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("x" * 41, "too_long"),
        ("x" * 10_000, "too_long"),
        ("two\nlines", "characters"),
        ("bell\x07", "characters"),
        ("\u202egnp.exe", "characters"),
        ("a\u2028b", "characters"),
        ("\u200b", "characters"),
        ("\u3164", "characters"),
        ("ada\u2800", "characters"),
        ("\u200d\u200d", "invisible"),
        ("\u0301", "invisible"),
        ("   ", "invisible"),
    ],
)
def test_invalid_name_is_rejected(raw: str, code: str) -> None:
    with pytest.raises(ValidationError) as refused:
        clean_name(raw)
    assert refused.value.code == code
