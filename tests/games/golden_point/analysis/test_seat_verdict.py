"""A message in both languages says where a losing seat lost the most; its numbers have enough digits to be correct."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from django.utils import translation

from arena.core.messages import Message, Parameter
from arena.games.golden_point.analysis.seat_verdict import loss_message
from arena.games.golden_point.evaluation.best_reply import BestReplies
from arena.games.golden_point.evaluation.mistakes import CostliestMistakes, MistakeKind, costliest_mistakes
from arena.games.golden_point.evaluation.what_if import what_if
from arena.games.golden_point.verdict_messages import (
    COSTLIEST_ROUND,
    FARTHEST,
    INSTEAD_OF_ONE,
    INSTEAD_OF_PAIR,
    TOO_HIGH,
    TOO_LOW,
)
from arena.games.localized_messages import translate_message
from tests.chinese import has_chinese
from tests.games.golden_point.evaluation.matches import random_match

REPLIES = BestReplies(best=12.4321, low=11.0, high=13.5, too_low=2.0, too_high=30.0)
FOUND = CostliestMistakes(MistakeKind.TOO_HIGH, 120, 40, 50, 37, (40.0,), REPLIES)
ONE = INSTEAD_OF_ONE(best="12.4", one="40")
VALUES: dict[str, Parameter] = {"name": "Ann", "points": 120, "count": 40, "rounds": 50, "round": 37, "change": ONE}


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (FOUND, TOO_HIGH(**VALUES)),
        (replace(FOUND, kind=MistakeKind.TOO_LOW), TOO_LOW(**VALUES)),
        (replace(FOUND, kind=MistakeKind.FARTHEST), FARTHEST(**VALUES)),
        (replace(FOUND, count=1, points=3), COSTLIEST_ROUND(name="Ann", round=37, points=3, change=ONE)),
        (
            replace(FOUND, numbers=(40.0, 17.25)),
            TOO_HIGH(**{**VALUES, "change": INSTEAD_OF_PAIR(best="12.4", one="40", other="17.2")}),
        ),
    ],
)
def test_every_kind_of_mistake_has_a_message_in_both_languages(found: CostliestMistakes, message: Message) -> None:
    assert loss_message(found, "Ann") == message
    with translation.override("zh-hans"):
        chinese = translate_message(message)
    assert chinese.startswith("“Ann”")
    assert chinese.endswith("。")
    assert "instead" not in chinese


def test_chinese_sentence_is_composed_of_translated_parts() -> None:
    with translation.override("zh-hans"):
        found = translate_message(loss_message(FOUND, "Ann"))
        change = translation.gettext(INSTEAD_OF_ONE.english) % ONE.parameters
        assert found == translation.gettext(TOO_HIGH.english) % {**VALUES, "change": change}
    assert has_chinese(change)
    assert has_chinese(found.replace(change, ""))


@pytest.mark.parametrize(
    ("numbers", "replies", "change"),
    [
        ((12.44,), replace(REPLIES, low=12.43205, high=12.4322), INSTEAD_OF_ONE(best="12.4321", one="12.44")),
        ((99.99,), REPLIES, INSTEAD_OF_ONE(best="12.43", one="99.99")),
        (
            (2e-300,),
            replace(REPLIES, best=1e-300, low=9e-301, high=1.1e-300),
            INSTEAD_OF_ONE(best="1e-300", one="2e-300"),
        ),
    ],
)
def test_numbers_have_as_many_digits_as_the_statement_needs(
    numbers: tuple[float, ...], replies: BestReplies, change: Message
) -> None:
    message = loss_message(replace(FOUND, numbers=numbers, replies=replies), "Ann")

    assert message.parameters["change"] == change


def test_reply_wins_the_round_when_it_is_played_as_written() -> None:
    rng = random.Random(11)
    for numbers in (1, 2):
        played = random_match(rng, players=7, rounds=30, numbers=numbers)
        for player, found in costliest_mistakes(played, range(7)).items():
            change = loss_message(found, "Ann").parameters["change"]
            assert isinstance(change, Message)
            best = float(str(change.parameters["best"]))
            at = next(at for at, each in enumerate(played.rounds) if each.number == found.example)
            assert player in what_if(played, at, player, (best,) * numbers).after.nearest
