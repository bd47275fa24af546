"""Faults with the same cause are reported once."""

from __future__ import annotations

from typing import Any

from arena.core.messages import Message, verbatim_message
from arena.core.referee import messages
from arena.submissions.fault_report import newest_by_cause, reported_faults


def rejected_answer(turn: int, code: str, **more: Any) -> dict[str, Any]:
    message = messages.ILLEGAL(sentence=Message(code, f"{code} on turn {turn}"))
    return {"turn": turn, "kind": "illegal_move", "file": "", "line": 0, **message.to_json("message"), **more}


def fault_after_rejected_answers(turn: int, code: str, **more: Any) -> dict[str, Any]:
    """Return the fault of a bot that exceeded the limit on rejected answers; ``code``: that of the last rejection."""
    message = messages.ILLEGAL_IN_A_ROW(n=3, sentence=Message(code, f"{code} on turn {turn}"))
    return {**rejected_answer(turn, code), **message.to_json("message"), **more}


def test_newest_fault_of_each_cause_lists_earlier_turns() -> None:
    found = reported_faults(
        [
            rejected_answer(2, "occupied"),
            rejected_answer(3, "pass"),
            rejected_answer(3, "occupied"),
            rejected_answer(9, "occupied", attempt=2),
        ],
        fault_after_rejected_answers(9, "occupied", attempt=3),
    )
    shown = [(one.moment, one.lost, one.count, one.earlier_turns) for one in newest_by_cause(found)]
    assert shown == [((9, 3), True, 4, (2, 3, 9)), ((3, 1), False, 1, ())]


def test_faults_with_different_line_kind_or_reason_stay_separate() -> None:
    other = [
        rejected_answer(1, "a"),
        rejected_answer(2, "b"),
        rejected_answer(3, "a", line=7),
        rejected_answer(4, "a", kind="bad_message"),
        rejected_answer(5, "a", file="main.py"),
    ]
    assert [one.moment[0] for one in newest_by_cause(reported_faults(other, None))] == [5, 4, 3, 2, 1]
    assert newest_by_cause(()) == []


def test_bots_own_exceptions_are_distinguished_by_their_text() -> None:
    texts = ((1, "x"), (2, "y"), (3, "x"))
    raised = [{**rejected_answer(turn, "a"), **verbatim_message(text).to_json("message")} for turn, text in texts]
    assert [one.count for one in newest_by_cause(reported_faults(raised, None))] == [2, 1]
