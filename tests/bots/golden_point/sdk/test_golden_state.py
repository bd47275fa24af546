"""Golden-point bots receive a complete state, and may answer with numbers of any numeric type."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from bots.golden_point.sdk.golden_state import GoldenState
from tests.bots.conversation import Conversation

pytestmark = pytest.mark.usefixtures("own_modules")


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("50", [50]),
        ("(1, 2.5)", [1, 2.5]),
        ("[1.5, 2]", [1.5, 2]),
        ("Fraction(1, 4)", [0.25]),
        ("(Decimal('0.5'), Fraction(1, 4))", [0.5, 0.25]),
    ],
)
def test_numbers_of_any_numeric_type_are_accepted(tmp_path: Path, answer: str, value: list[float]) -> None:
    main = f"from decimal import Decimal\nfrom fractions import Fraction\ndef get_move(state): return {answer}"
    bot = Conversation(tmp_path, "golden_point", main=main)
    bot.start()
    assert bot.round(1) == {"t": "answer", "value": value}


@pytest.mark.parametrize("answer", ["'5'", "True", "(True, 1)", "None and 1 or object()", "float('nan')"])
def test_invalid_answers_are_rejected(tmp_path: Path, answer: str) -> None:
    bot = Conversation(tmp_path, "golden_point", main=f"def get_move(state): return {answer}")
    bot.start()
    assert bot.round(1)["t"] == "unusable"


KEEPER = """
STATES = []
def get_move(state):
    STATES.append(state)
    if state.round == 2: state.history.append("mine")
    return 1, 2
"""


@pytest.fixture
def received_states(tmp_path: Path) -> list[GoldenState]:
    """Return the states that a bot received in four rounds; in the second round, it modified its history."""
    bot = Conversation(tmp_path, "golden_point", main=KEEPER)
    bot.start()
    bot.round(1)
    bot.round(2, 9.5, [(1.0, 2.0), None], score=3)
    bot.round(3, 8.5, [(1.0, 2.0), (3.0, 4.0)], score=5)
    bot.round(4, 7.5, [None, (5.0, 0.1 + 0.2)])
    states: list[GoldenState] = sys.modules["main"].STATES
    return states


def test_state_has_rounds_scores_and_history(received_states: list[GoldenState]) -> None:
    state = received_states[2]
    assert (state.round, state.rounds, state.numbers, state.players, state.score) == (3, 10, 2, 2, 5)
    assert state.golden == [9.5, 8.5]
    assert state.history == [[(1, 2), None], [(1, 2), (3, 4)]]


def test_lazily_read_history_is_that_of_its_own_round(received_states: list[GoldenState]) -> None:
    assert received_states[3].history[2] == [None, (5.0, 0.1 + 0.2)]
    assert [len(state.history) for state in received_states] == [0, 2, 2, 3]
    assert received_states[1].history == [[(1, 2), None], "mine"]


@pytest.mark.parametrize(
    "duplicate",
    [
        copy.copy,
        copy.deepcopy,
        replace,
        lambda state: pickle.loads(pickle.dumps(state)),
        lambda state: GoldenState(**asdict(state)),
    ],
)
def test_state_can_be_copied_before_its_history_is_read(
    received_states: list[GoldenState], duplicate: Callable[[GoldenState], GoldenState]
) -> None:
    other = duplicate(received_states[3])
    assert (other.round, other.history) == (4, [*received_states[2].history, [None, (5.0, 0.1 + 0.2)]])


def test_state_has_a_repr_and_no_extra_attributes(received_states: list[GoldenState]) -> None:
    assert repr(received_states[1]).startswith("GoldenState(players=2, numbers=2, round=2,")
    assert not hasattr(received_states[3], "nothing")
