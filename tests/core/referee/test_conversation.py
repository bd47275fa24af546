"""A conversation with one bot follows the protocol; it needs no process, clock or match."""

from __future__ import annotations

import json
import random

import pytest

from arena.core.messages import verbatim_message
from arena.core.referee import protocol
from arena.core.referee.conversation import Conversation, SeatAnswered, SeatFaulted
from arena.core.referee.events import TimeSpent
from arena.core.referee.faults import Fault, FaultKind
from arena.core.referee.protocol import Answer, Request, RequestKind, StartDone
from arena.core.referee.spec import MatchLimits
from arena.games.base import Json
from arena.games.registry import GAMES

RULES = GAMES["reversi"]
STATE = RULES.initial(RULES.settings({}), 2, random.Random(1))
DONE = SeatAnswered(0, StartDone("n"))
CRASH = SeatFaulted(0, Fault(FaultKind.CRASH, verbatim_message("It crashed.")), TimeSpent(2.0))


def answer_event(value: Json, charged: float = 0.0) -> SeatAnswered:
    return SeatAnswered(0, Answer("n", value), TimeSpent(charged))


def kind_of(request: Request | None) -> RequestKind | None:
    return request.kind if request else None


@pytest.fixture
def conversation() -> Conversation:
    return Conversation(RULES, 0, illegal_answers=3)


def started_conversation(conversation: Conversation) -> Conversation:
    conversation.start(2, {}, MatchLimits(), {"color": "X"})
    while conversation.handle(DONE):
        pass
    return conversation


def request_move(conversation: Conversation, turn: int = 1) -> Conversation:
    assert conversation.ask(turn, STATE, protocol.move_request(0, {}, b"{}")).kind is RequestKind.MOVE
    return conversation


def test_startup_requests_pass_only_permitted_information(conversation: Conversation) -> None:
    load = conversation.start(2, {"opening": ""}, MatchLimits(move_seconds=3), {"color": "X"})
    fields = json.loads(b"{" + load.body)
    assert (fields["do"], fields["game"], fields["seats"], fields["move_seconds"]) == ("load", "reversi", 2, 3)
    assert kind_of(conversation.handle(DONE)) is RequestKind.IMPORT
    construct = conversation.handle(DONE)
    assert construct is not None
    assert json.loads(b"{" + construct.body) == {"do": "construct", "own": {"color": "X"}}
    assert conversation.is_starting
    assert conversation.handle(DONE) is None
    assert (conversation.request_kind, conversation.is_starting, conversation.fault) == (None, False, None)


def test_rules_parse_moves(conversation: Conversation) -> None:
    assert request_move(started_conversation(conversation)).handle(answer_event("d3", 1.5)) is None
    assert (conversation.answered, conversation.move, conversation.encoded, conversation.spent.charged) == (
        True,
        "D3",
        "D3",
        1.5,
    )
    request_move(conversation, 2)
    assert (conversation.answered, conversation.encoded, conversation.spent.charged) == (False, None, 0.0)


def test_rejected_answer_is_retried_until_the_last_one_is_a_fault(conversation: Conversation) -> None:
    request_move(started_conversation(conversation), 7)
    assert kind_of(conversation.handle(answer_event("A1"))) is RequestKind.AGAIN
    assert kind_of(conversation.handle(answer_event(3))) is RequestKind.AGAIN
    assert conversation.handle(answer_event("Z9", 4.0)) is None
    assert [rejection.answer for rejection in conversation.rejected] == ["'A1'", "3"]
    assert conversation.last_rejected is not None
    assert conversation.fault is not None
    assert conversation.moment is not None
    assert (conversation.fault.kind, conversation.last_rejected.answer) == (FaultKind.ILLEGAL_MOVE, "'Z9'")
    assert (conversation.moment.turn, conversation.moment.answer_number, conversation.moment.spent.charged) == (
        7,
        3,
        4.0,
    )


def test_legal_answer_resets_the_count_of_refused_ones(conversation: Conversation) -> None:
    request_move(started_conversation(conversation)).handle(answer_event("A1"))
    assert conversation.handle(answer_event("D3")) is None
    assert (conversation.answered, len(conversation.rejected), conversation.fault) == (True, 1, None)


@pytest.mark.parametrize("replies", [0, 1, 2])
def test_fault_during_start_is_recorded_before_the_first_turn(conversation: Conversation, replies: int) -> None:
    conversation.start(2, {}, MatchLimits(), {})
    for _ in range(replies):
        conversation.handle(DONE)
    assert conversation.handle(CRASH) is None
    assert conversation.moment is not None
    assert (conversation.moment.turn, conversation.moment.answer_number, conversation.moment.spent.charged) == (
        0,
        1,
        2.0,
    )


def test_fault_after_a_rejection_is_the_second_answer(conversation: Conversation) -> None:
    request_move(started_conversation(conversation), 4).handle(answer_event("A1"))
    assert conversation.handle(CRASH) is None
    assert conversation.moment is not None
    assert (conversation.moment.turn, conversation.moment.answer_number) == (4, 2)


def test_answer_without_an_open_request_raises(conversation: Conversation) -> None:
    with pytest.raises(RuntimeError, match="open request"):
        started_conversation(conversation).handle(answer_event("D3"))
