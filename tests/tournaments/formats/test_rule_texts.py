"""The exact rules state every setting that changes how a tournament is played."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from arena.core.ranking.pairing import tables
from arena.core.ranking.tiebreaks import Tiebreak
from arena.core.referee.faults import FaultKind
from arena.games.localized_messages import FAULT_LABELS
from arena.games.sites import SITES
from arena.games.suit_pairs.cards import MAX_POINTS
from arena.tournaments.formats.availability import formats_of
from arena.tournaments.formats.rule_texts import RuleText, rules_of
from arena.tournaments.formats.tiebreak_texts import TEXTS
from arena.tournaments.models import Format

LIMITS: Mapping[str, Any] = {"move_seconds": 2, "illegal_answers": 3}


def rules(format_: Format, repeats: int = 1, **options: Any) -> list[RuleText]:
    pairing: Mapping[str, Any] = {
        "format": format_,
        "repeats": repeats,
        "matches_per_encounter": 2,
        "openings": "start",
        "seeding": "random",
        "tiebreaks": [],
        "options": options,
    }
    return rules_of(pairing, LIMITS, "reversi" if format_ != Format.SCORE_ATTACK else "fib2584")


REPEATED = [
    (Format.ROUND_ROBIN, 7, {}, "7"),
    (Format.DOUBLE_ROUND_ROBIN, 7, {}, "14"),
    (Format.GAUNTLET, 7, {}, "7"),
    (Format.TABLE, 7, {}, "7"),
    (Format.TABLE, 7, {"seats": 4}, "7"),
    (Format.SCORE_ATTACK, 7, {}, "7"),
    (Format.SCORE_ATTACK, 7, {"bots_per_match": 5}, "7"),
]


@pytest.mark.parametrize(("format_", "repeats", "options", "stated"), REPEATED)
def test_rules_state_number_of_encounters(format_: Format, repeats: int, options: dict[str, int], stated: str) -> None:
    found = {rule.code: rule.text for rule in rules(format_, repeats, **options)}
    once = {rule.code: rule.text for rule in rules(format_, **options)}
    changed = [text for code, text in found.items() if once.get(code) != text]
    assert any(stated in text.replace(".", " ").split() for text in changed)


def test_swiss_rules_always_state_number_of_rounds() -> None:
    chosen, default = ({rule.code for rule in rules(Format.SWISS, rounds=number)} for number in (5, 0))
    assert chosen == default


@pytest.mark.parametrize(
    ("format_", "matches", "code"),
    [
        (Format.SWISS, 1, "openings"),
        (Format.SWISS, 2, "openings_paired"),
        (Format.SWISS, 3, "openings_paired_except_last"),
        (Format.DOUBLE_ROUND_ROBIN, 1, "openings_paired"),
        (Format.DOUBLE_ROUND_ROBIN, 3, "openings_paired"),
        (Format.ROUND_ROBIN, 1, "openings"),
    ],
)
def test_rules_state_which_openings_are_played_with_both_colours(format_: Format, matches: int, code: str) -> None:
    pairing = {
        "format": format_,
        "repeats": 1,
        "matches_per_encounter": matches,
        "openings": "balanced",
        "seeding": "random",
        "tiebreaks": [],
        "options": {},
    }
    assert [rule.code for rule in rules_of(pairing, LIMITS, "reversi") if rule.code.startswith("openings")] == [code]


@pytest.mark.parametrize(
    ("format_", "chapters"),
    [
        (Format.SWISS, ["C.04", "C.07"]),
        (Format.ROUND_ROBIN, ["C.05", "C.07"]),
        (Format.GROUPS, ["C.05", "C.07"]),
        (Format.GAUNTLET, ["C.05", "C.07"]),
        (Format.TABLE, ["C.05", "C.07"]),
        (Format.KNOCKOUT, ["C.07"]),
        (Format.SCORE_ATTACK, []),
    ],
)
def test_note_on_fide_articles_lists_the_cited_chapters(format_: Format, chapters: list[str]) -> None:
    found = rules(format_)
    listed = [chapter for rule in found if rule.code == "fide" for chapter, _text in rule.points]
    assert listed == chapters
    cited = {match[:4] for rule in found if rule.code != "fide" for match in citations(rule)}
    assert cited == set(chapters)


@pytest.mark.parametrize("format_", Format)
def test_citations_name_the_chapter_and_then_the_article(format_: Format) -> None:
    for rule in rules(format_):
        for citation in citations(rule):
            assert re.fullmatch(r"C\.\d\d(\.\d)?, (Annex )?[C\d].*", citation), citation


def citations(rule: RuleText) -> list[str]:
    texts = [rule.text, *(text for _term, text in rule.points)]
    return [found for text in texts for found in re.findall(r"FIDE (C\.[^)]*)\)", text)]


def test_every_format_has_a_rule_for_void_matches() -> None:
    for format_ in Format:
        assert "arena_failure" in [rule.code for rule in rules(format_)], format_


@pytest.mark.parametrize(
    ("format_", "options", "stated"),
    [
        (Format.KNOCKOUT, {}, True),
        (Format.DOUBLE_ELIMINATION, {}, True),
        (Format.GROUPS, {"finals": "knockout"}, True),
        (Format.GROUPS, {"finals": "round_robin"}, False),
        (Format.SWISS, {}, False),
    ],
)
def test_brackets_state_who_wins_an_encounter(format_: Format, options: dict[str, str], stated: bool) -> None:
    codes = {rule.code for rule in rules(format_, **options)}
    assert ({"encounter", "tied_encounter", "encounter_margin"} <= codes) is stated


@pytest.mark.parametrize(
    ("format_", "options", "stated"),
    [
        (Format.KNOCKOUT, {}, True),
        (Format.KNOCKOUT, {"third_place": False}, False),
        (Format.DOUBLE_ELIMINATION, {}, False),
        (Format.GROUPS, {"finals": "knockout"}, True),
        (Format.GROUPS, {"finals": "round_robin"}, False),
    ],
)
def test_shared_ranks_except_third_place_only_if_it_is_played(
    format_: Format, options: dict[str, Any], stated: bool
) -> None:
    codes = {rule.code for rule in rules(format_, **options)}
    assert bool({"shared_ranks_except_third_place", "final_ranks"} & codes) is stated
    assert ("third_place" in codes) is stated


@pytest.mark.parametrize("format_", [Format.KNOCKOUT, Format.DOUBLE_ELIMINATION, Format.GROUPS])
def test_brackets_state_first_seats(format_: Format) -> None:
    codes = {rule.code for rule in rules(format_)}
    assert "bracket_seats" in codes
    assert ({"losers_seats", "final_seats"} <= codes) is (format_ == Format.DOUBLE_ELIMINATION)


@pytest.mark.parametrize("format_", Format)
def test_definition_of_a_fault_covers_every_kind_that_a_bot_can_commit(format_: Format) -> None:
    terms = next([term for term, _text in rule.points] for rule in rules(format_) if rule.code == "fault_definition")
    assert terms == [str(FAULT_LABELS[kind]) for kind in FaultKind if kind is not FaultKind.RESIGNED]


def test_rules_for_tables_state_the_limits_of_the_draw() -> None:
    texts = {rule.code: rule.text for rule in rules(Format.TABLE, seats=3)}
    assert str(tables.DRAW_BUDGET) in texts["draw"]
    assert all(str(limit) in texts["swaps"] for limit in (tables.MAX_PASSES, tables.MAX_PARTNERS))


def test_tiebreaks_are_listed_in_order() -> None:
    for format_ in Format:
        listed = [rule.points for rule in rules(format_) if rule.code == "tiebreaks" and rule.points]
        assert len(listed) == (format_ != Format.SCORE_ATTACK)


def test_games_define_the_margin_of_their_matches() -> None:
    texts = {game: _margin_rule(game) for game in SITES if set(formats_of(game)) - {Format.SCORE_ATTACK}}
    assert texts == {game: str(SITES[game].margin_text) for game in texts}
    assert str(MAX_POINTS) in texts["suit_pairs"]
    assert str(TEXTS[Tiebreak.MARGIN].explanation) not in texts.values()


def _margin_rule(game: str) -> str:
    pairing = {
        "format": Format.ROUND_ROBIN,
        "repeats": 1,
        "matches_per_encounter": 1,
        "openings": "start",
        "seeding": "random",
        "tiebreaks": ["margin"],
        "options": {},
    }
    return next(rule.points[0][1] for rule in rules_of(pairing, LIMITS, game) if rule.code == "tiebreaks")


@pytest.mark.parametrize("format_", Format)
def test_rules_have_unique_codes(format_: Format) -> None:
    codes = [rule.code for rule in rules(format_)]
    assert len(codes) == len(set(codes))
    assert all(code.replace("_", "").isalpha() for code in codes)
