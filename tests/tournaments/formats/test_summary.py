"""The rules in short have three to five sentences, and each exact rule has one, in every format and language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.utils.translation import override

from arena.core.ranking.pairing.elimination import seeded_slots
from arena.games.localized_messages import FAULT_LABELS
from arena.games.registry import GAMES
from arena.games.sites import SITES
from arena.games.templatetags.games import within_turn
from arena.tournaments.formats.rule_texts import rules_of
from arena.tournaments.formats.summary import summary_of
from arena.tournaments.models import Format

LIMITS: Mapping[str, Any] = {"move_seconds": 2, "illegal_answers": 3}
SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[。！？]")


def pairing(format_: Format, legs: int = 2, **options: Any) -> Mapping[str, Any]:
    return {
        "format": format_,
        "repeats": 1,
        "matches_per_encounter": legs,
        "openings": "balanced",
        "seeding": "random",
        "tiebreaks": [],
        "options": options,
    }


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("illegal_answers", [1, 3])
@pytest.mark.parametrize("format_", Format)
def test_summary_has_at_most_five_sentences(format_: Format, illegal_answers: int, language: str) -> None:
    with override(language):
        lines = summary_of(pairing(format_), {"move_seconds": 2, "illegal_answers": illegal_answers}, "reversi")
    assert 3 <= sum(len(SENTENCE_END.findall(line)) for line in lines) <= 5


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("illegal_answers", [1, 3])
@pytest.mark.parametrize("format_", Format)
def test_exact_rules_have_one_sentence_each(format_: Format, illegal_answers: int, language: str) -> None:
    limits = {"move_seconds": 2, "illegal_answers": illegal_answers}
    game = "fib2584" if format_ == Format.SCORE_ATTACK else "reversi"
    with override(language):
        rules = [
            *rules_of(pairing(format_), limits, game),
            *rules_of(pairing(format_, seats=4, rounds=5), limits, game),
        ]
    texts = [text for rule in rules for text in (rule.text, *(explanation for _, explanation in rule.points))]
    assert [text for text in texts if len(SENTENCE_END.findall(text)) != 1] == []


@pytest.mark.parametrize("game", GAMES)
def test_limit_on_illegal_answers_is_in_the_words_of_the_game(game: str) -> None:
    *_, faults = summary_of(pairing(Format.ROUND_ROBIN), LIMITS, game)
    assert faults.endswith(f" 3 illegal answers {within_turn(game)}.")


@pytest.mark.parametrize("format_", Format)
@pytest.mark.parametrize("game", GAMES)
def test_exact_rules_define_a_fault_by_the_limit_in_the_words_of_the_game(game: str, format_: Format) -> None:
    rules = {rule.code: rule for rule in rules_of(pairing(format_), LIMITS, game)}
    assert "faults" in rules
    causes = dict(rules["fault_definition"].points)
    assert causes[str(FAULT_LABELS["illegal_move"])].endswith(f" 3 illegal answers {within_turn(game)}.")


@pytest.mark.parametrize("game", GAMES)
def test_margin_tiebreak_is_called_scores_only_in_games_that_add_up_scores(game: str) -> None:
    chosen = {**pairing(Format.ROUND_ROBIN), "tiebreaks": ["margin"]}
    sentence = summary_of(chosen, LIMITS, game)[2]
    assert ("scores" in sentence) is SITES[game].margin_is_score
    assert ("margins" in sentence) is not SITES[game].margin_is_score


@pytest.mark.parametrize("format_", [Format.KNOCKOUT, Format.DOUBLE_ELIMINATION, Format.GROUPS])
def test_rules_of_brackets_name_the_first_pairs_of_seeds(format_: Format) -> None:
    slots = [slot for slot in seeded_slots(range(1, 9)) if slot is not None]
    text = next(rule.text for rule in rules_of(pairing(format_), LIMITS, "reversi") if rule.code == "bracket")
    assert [int(seed) for seed in re.findall(r"\d", text)] == slots


def test_summary_and_exact_rules_name_the_same_bots_of_a_gauntlet() -> None:
    for gauntlet_bots in (0, 1, 3):
        chosen = pairing(Format.GAUNTLET, gauntlet_bots=gauntlet_bots)
        short = summary_of(chosen, LIMITS, "reversi")[0]
        exact = {rule.code: rule.text for rule in rules_of(chosen, LIMITS, "reversi")}["gauntlet_bots"]
        assert numbers(short) == numbers(exact)[:1]
        assert ("house" in short) is ("house" in exact) is (gauntlet_bots == 0)


def numbers(text: str) -> list[str]:
    return re.findall(r"\d+", text)
