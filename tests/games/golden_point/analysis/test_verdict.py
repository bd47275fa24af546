"""A message in both languages explains how a match was decided."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.utils import translation

from arena.core.messages import Message
from arena.core.referee.faults import FaultKind
from arena.games.base import Termination
from arena.games.golden_point.analysis.review import findings_of
from arena.games.golden_point.analysis.verdict import verdict
from arena.games.golden_point.evaluation.final_lead import FinalLead
from arena.games.golden_point.verdict_messages import (
    AHEAD,
    AHEAD_BY_ONE,
    ALL_LEFT,
    ALL_LEFT_TIED,
    ALL_OUT,
    ALL_OUT_TIED,
    ALONE,
    LEADER_OUT,
    LEADER_RESIGNED,
    LEADERS_LEFT,
    LEADERS_OUT,
    LED_IN_LAST_ROUND,
    LED_THROUGHOUT,
    NEXT_PLAYERS,
    PLAYERS,
    SHARED_AFTER_LAST_ROUND,
    SHARED_ONLY_ROUND,
    SHARED_SINCE,
    SHARED_THROUGHOUT,
    TOOK_LEAD,
    TWO_PLAYERS,
    WON_ONLY_ROUND,
)
from arena.games.localized_messages import translate_message
from arena.matches.queries import SeatRow, unambiguous_names
from tests.chinese import has_chinese
from tests.games.golden_point.evaluation.test_final_lead import record

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")
WON = FinalLead((0,), 212, 400, 120, (1,), 3, (), all_out=False)
BOTH = TWO_PLAYERS(one="Ann", other="Ben")
TOGETHER = replace(WON, leaders=(0, 1), next=(2,))


@pytest.mark.parametrize(
    ("lead", "rounds", "turn", "message"),
    [
        (WON, 400, 212, TOOK_LEAD(winner="Ann", round=212, rounds=400, ending=AHEAD(points=3, next="Ben"))),
        (
            replace(WON, margin=1, next=(1, 2)),
            400,
            212,
            TOOK_LEAD(
                winner="Ann", round=212, rounds=400, ending=AHEAD_BY_ONE(next=TWO_PLAYERS(one="Ben", other="Cleo"))
            ),
        ),
        (
            replace(WON, turn=400, next=(1, 2, 3)),
            400,
            400,
            LED_IN_LAST_ROUND(winner="Ann", round=400, rounds=400, ending=AHEAD(points=3, next=NEXT_PLAYERS(count=3))),
        ),
        (
            replace(WON, turn=1),
            400,
            0,
            LED_THROUGHOUT(winner="Ann", round=1, rounds=400, ending=AHEAD(points=3, next="Ben")),
        ),
        (
            replace(WON, turn=1, end=1),
            1,
            0,
            WON_ONLY_ROUND(winner="Ann", round=1, rounds=1, ending=AHEAD(points=3, next="Ben")),
        ),
        (
            replace(WON, next=(), margin=0),
            400,
            212,
            TOOK_LEAD(winner="Ann", round=212, rounds=400, ending=ALONE()),
        ),
        (replace(WON, removed=(4,)), 400, 212, LEADER_OUT(loser="Eve", winner="Ann", round=212, rounds=400)),
        (
            replace(WON, removed=(3, 4), turn=1),
            400,
            1,
            LEADERS_OUT(count=2, winner="Ann", round=1, rounds=400),
        ),
        (
            replace(WON, removed=(1,), turn=1, end=1, next=()),
            1,
            0,
            WON_ONLY_ROUND(winner="Ann", round=1, rounds=1, ending=ALONE()),
        ),
        (replace(WON, end=230, next=(), all_out=True), 400, 230, ALL_OUT(winner="Ann", round=230, rounds=400)),
        (replace(TOGETHER, end=230, all_out=True), 400, 230, ALL_OUT_TIED(round=230, rounds=400)),
        (TOGETHER, 400, 212, SHARED_SINCE(leaders=BOTH, round=212, rounds=400, score=120)),
        (
            replace(TOGETHER, turn=400, leaders=(0, 1, 2)),
            400,
            400,
            SHARED_AFTER_LAST_ROUND(leaders=PLAYERS(count=3), round=400, rounds=400, score=120),
        ),
        (replace(TOGETHER, turn=0), 400, 0, SHARED_THROUGHOUT(leaders=BOTH, round=0, rounds=400, score=120)),
        (replace(TOGETHER, turn=1, end=1), 1, 0, SHARED_ONLY_ROUND(leaders=BOTH, round=1, rounds=1, score=120)),
    ],
)
def test_every_way_to_win_has_a_message_in_both_languages(
    lead: FinalLead, rounds: int, turn: int, message: Message
) -> None:
    assert verdict(lead, rounds, NAMES) == (turn, message)
    with translation.override("zh-hans"):
        chinese = translate_message(message)
    assert chinese.endswith("。")
    assert " round" not in chinese
    assert " point" not in chinese


@pytest.mark.parametrize(
    ("lead", "resigned", "turn", "message"),
    [
        (replace(WON, removed=(4,)), {4}, 212, LEADER_RESIGNED(loser="Eve", winner="Ann", round=212, rounds=400)),
        (replace(WON, removed=(4,)), {3}, 212, LEADER_OUT(loser="Eve", winner="Ann", round=212, rounds=400)),
        (replace(WON, removed=(3, 4)), {4}, 212, LEADERS_LEFT(count=2, winner="Ann", round=212, rounds=400)),
        (replace(WON, end=230, next=(), all_out=True), {2}, 230, ALL_LEFT(winner="Ann", round=230, rounds=400)),
        (replace(TOGETHER, end=230, all_out=True), {0}, 230, ALL_LEFT_TIED(round=230, rounds=400)),
    ],
)
def test_player_who_resigned_was_not_removed(lead: FinalLead, resigned: set[int], turn: int, message: Message) -> None:
    assert verdict(lead, 400, NAMES, resigned) == (turn, message)
    with translation.override("zh-hans"):
        chinese = translate_message(message)
    assert chinese.endswith("。")
    assert "出局" not in chinese or message.code == LEADER_OUT.code


def test_findings_list_the_seats_that_resigned() -> None:
    rounds = ([10.0], [20.0], [90.0]), (FaultKind.RESIGNED, FaultKind.TIMEOUT, [10.0])

    found = findings_of(record(*rounds))

    assert found is not None
    assert found.resigned == {0}


def test_chinese_sentence_is_composed_of_translated_parts() -> None:
    with translation.override("zh-hans"):
        found = translate_message(verdict(replace(WON, next=(1, 2)), 400, NAMES)[1])
        following = translation.gettext(TWO_PLAYERS.english) % {"one": "Ben", "other": "Cleo"}
        ending = translation.gettext(AHEAD.english) % {"points": 3, "next": following}
        values = {"winner": "Ann", "round": 212, "rounds": 400, "ending": ending}
        assert found == translation.gettext(TOOK_LEAD.english) % values
    assert all(map(has_chinese, (following, ending.replace(following, ""), found.replace(ending, ""))))


def test_match_ended_by_time_limit_has_no_winner() -> None:
    rounds = ([10.0], [20.0]), ([10.0], [20.0])

    assert findings_of(record(*rounds)) is not None
    assert findings_of(record(*rounds, termination=Termination.TIME_LIMIT)) is None


def test_two_versions_of_one_bot_have_distinct_names() -> None:
    def line(index: int, name: str, version: int | None) -> SeatRow:
        return SeatRow(index, None, name, "", "", version, False, None, None, None, "", 0.0, 0.0, "")

    lines = [line(0, "Twin", 1), line(1, "Twin", 2), line(2, "Ann", 7), line(3, "Guest", None), line(4, "Guest", None)]
    assert unambiguous_names(lines) == ["Twin v1", "Twin v2", "Ann", "Guest", "Guest"]
