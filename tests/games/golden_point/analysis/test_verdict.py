"""The sentence on how a match was decided, in both languages."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.utils import translation

from arena.games.base import Termination
from arena.games.golden_point.analysis.review import lead_of
from arena.games.golden_point.analysis.verdict import verdict
from arena.games.golden_point.evaluation.final_lead import FinalLead
from arena.games.wording import translated
from arena.matches.queries import SeatLine, unambiguous_names
from tests.games.golden_point.evaluation.test_final_lead import record

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")
WON = FinalLead((0,), 212, 400, 120, (1,), 3, (), all_out=False)
TOGETHER = replace(WON, leaders=(0, 1), next=(2,))


@pytest.mark.parametrize(
    ("lead", "rounds", "turn", "sentence"),
    [
        (WON, 400, 212, "Ann took the lead for good in round 212 of 400 and finished 3 points ahead of Ben."),
        (
            replace(WON, margin=1, next=(1, 2)),
            400,
            212,
            "Ann took the lead for good in round 212 of 400 and finished 1 point ahead of Ben and Cleo.",
        ),
        (
            replace(WON, turn=400, next=(1, 2, 3)),
            400,
            400,
            "Ann took the lead in the last of 400 rounds and finished 3 points ahead of the next 3 players.",
        ),
        (replace(WON, turn=1), 400, 0, "Ann led from the first round to the last and finished 3 points ahead of Ben."),
        (replace(WON, turn=1, end=1), 1, 0, "Ann won the only round and finished 3 points ahead of Ben."),
        (
            replace(WON, next=(), margin=0),
            400,
            212,
            "Ann took the lead for good in round 212 of 400 and was the only player left at the end.",
        ),
        (
            replace(WON, dropped_out=(4,)),
            400,
            212,
            "Eve dropped out in round 212 of 400, which put Ann ahead for good.",
        ),
        (
            replace(WON, dropped_out=(3, 4), turn=1),
            400,
            1,
            "2 players dropped out in round 1 of 400, which put Ann ahead for good.",
        ),
        (
            replace(WON, dropped_out=(1,), turn=1, end=1, next=()),
            1,
            0,
            "Ann won the only round and was the only player left at the end.",
        ),
        (
            replace(WON, end=230, next=(), all_out=True),
            400,
            230,
            "All players had dropped out by round 230 of 400. Ann had the highest score.",
        ),
        (replace(TOGETHER, end=230, all_out=True), 400, 230, "All players had dropped out by round 230 of 400."),
        (
            TOGETHER,
            400,
            212,
            "Ann and Ben shared first place from round 212 of 400 to the end, each with a final score of 120.",
        ),
        (
            replace(TOGETHER, turn=400, leaders=(0, 1, 2)),
            400,
            400,
            "3 players shared first place after the last of 400 rounds, each with a final score of 120.",
        ),
        (
            replace(TOGETHER, turn=0),
            400,
            0,
            "Ann and Ben shared first place from the first round to the last, each with a final score of 120.",
        ),
        (
            replace(TOGETHER, turn=1, end=1),
            1,
            0,
            "Ann and Ben shared first place in the only round, each with a score of 120.",
        ),
    ],
)
def test_every_way_to_win_has_a_sentence(lead: FinalLead, rounds: int, turn: int, sentence: str) -> None:
    found, message = verdict(lead, rounds, NAMES)

    assert (found, str(message)) == (turn, sentence)
    with translation.override("zh-hans"):
        chinese = translated(message)
    assert chinese.endswith("。")
    assert " round" not in chinese
    assert " point" not in chinese


def test_chinese_sentence_is_composed_of_translated_parts() -> None:
    with translation.override("zh-hans"):
        found = translated(verdict(replace(WON, next=(1, 2)), 400, NAMES)[1])

    assert found == "Ann 从第 212 轮（共 400 轮）起一路领先，最终比 Ben 和 Cleo 多 3 分。"


def test_match_ended_by_time_limit_has_no_winner() -> None:
    rounds = ([10.0], [20.0]), ([10.0], [20.0])

    assert lead_of(record(*rounds)) is not None
    assert lead_of(record(*rounds, termination=Termination.TIME_LIMIT)) is None


def test_two_versions_of_one_bot_have_distinct_names() -> None:
    def line(index: int, name: str, version: int | None) -> SeatLine:
        return SeatLine(index, None, name, "", "", version, False, None, None, None, "", 0.0, 0.0, "")

    lines = [line(0, "Twin", 1), line(1, "Twin", 2), line(2, "Ann", 7), line(3, "Guest", None), line(4, "Guest", None)]
    assert unambiguous_names(lines) == ["Twin v1", "Twin v2", "Ann", "Guest", "Guest"]
