"""The rules in short have three to five sentences, in every format and in both languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.utils.translation import override

from arena.tournaments.formats.rule_texts import rules_of
from arena.tournaments.formats.summary import summary_of
from arena.tournaments.models import Format

SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[。！？]")


def pairing(format_: Format, games: int = 2, **options: Any) -> Mapping[str, Any]:
    return {
        "format": format_,
        "repeats": 1,
        "games": games,
        "openings": "balanced",
        "seeding": "lot",
        "tiebreaks": [],
        "options": options,
    }


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("illegal_answers", [1, 3])
@pytest.mark.parametrize("format_", Format)
def test_summary_has_at_most_five_sentences(format_: Format, illegal_answers: int, language: str) -> None:
    with override(language):
        lines = summary_of(pairing(format_), {"move_seconds": 2, "illegal_answers": illegal_answers})
    assert 3 <= sum(len(SENTENCE_END.findall(line)) for line in lines) <= 5


def test_summary_and_exact_rules_name_the_same_bots_of_a_gauntlet() -> None:
    for heroes in (0, 1, 3):
        chosen = pairing(Format.GAUNTLET, heroes=heroes)
        short = summary_of(chosen, {"move_seconds": 2, "illegal_answers": 3})
        assert rules_of(chosen, "reversi")[0].text == short[0]
