from __future__ import annotations

import random

import pytest

from arena.classes.codes import ALPHABET, new_code, shown, typed
from arena.classes.models import CODE_LENGTH


def test_a_code_is_read_back_however_it_is_typed() -> None:
    for seed in range(200):
        code = new_code(random.Random(seed))
        assert len(code) == CODE_LENGTH
        assert typed(shown(code)) == typed(f" {shown(code).lower()} ") == typed(code) == code


@pytest.mark.parametrize(
    "text", ["", "ABCD", "ABCD-23456", "ABCD-23O5", "ABCD-2301", "ABCD-23I5", "ÄBCD-2345", "ABCD/2345"]
)
def test_what_cannot_be_a_code(text: str) -> None:
    assert typed(text) == ""


def test_forty_bits() -> None:
    assert len(set(ALPHABET)) == 32
