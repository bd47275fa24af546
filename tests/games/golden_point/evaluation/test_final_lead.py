"""The final lead begins at the last change of the lead, in handwritten standings and in records."""

from __future__ import annotations

import pytest

from arena.core.referee.faults import FaultKind
from arena.core.referee.record import VERSION, Record, RecordedMove, RecordedOutcome, RecordedSeat, RecordedTurn
from arena.games.base import Termination
from arena.games.golden_point.evaluation.final_lead import FinalLead, TurnScores, final_lead, standings


def lead(*rounds: tuple[int, ...], out: dict[int, int] | None = None) -> FinalLead:
    """Compute the final lead from the scores after each round; ``out`` maps a seat to the round in which it left."""
    left = out or {}
    start = TurnScores(0, (0,) * len(rounds[0]))
    played = [
        TurnScores(number, scores, frozenset(seat for seat, at in left.items() if at <= number))
        for number, scores in enumerate(rounds, start=1)
    ]
    return final_lead([start, *played])


def test_final_lead_starts_at_the_last_lead_change() -> None:
    found = lead((2, 0), (2, 2), (4, 2), (4, 6), (4, 7))

    assert (found.leaders, found.turn, found.end) == ((1,), 4, 5)
    assert (found.score, found.next, found.margin) == (7, (0,), 3)
    assert found.removed == ()


def test_winner_can_lead_from_the_first_round() -> None:
    found = lead((0, 3, -2), (3, 6, -4))

    assert (found.leaders, found.turn, found.next, found.margin) == ((1,), 1, (0,), 3)


def test_one_seat_passes_ten_tied_seats() -> None:
    found = lead((1,) * 11, (11,) * 10 + (9,), (11,) * 10 + (20,))

    assert (found.leaders, found.turn) == ((10,), 3)
    assert (found.next, found.margin) == (tuple(range(10)), 9)


def test_tied_seats_share_first_place() -> None:
    assert (lead((2, 2), (4, 4)).leaders, lead((2, 2), (4, 4)).turn) == ((0, 1), 0)
    later = lead((3, 0, 0), (3, 3, 0), (5, 5, 0))
    assert (later.leaders, later.turn, later.score, later.next) == ((0, 1), 2, 5, (2,))


def test_removal_of_the_leader_yields_to_best_remaining_seat() -> None:
    found = lead((2, 5, 0), (4, 9, 0), (6, 9, 3), out={1: 3})

    assert (found.leaders, found.turn, found.removed) == ((0,), 3, (1,))
    assert (found.next, found.margin) == ((2,), 3), "a seat that is out is not next, whatever its score"


def test_leader_passed_in_its_last_round_was_passed_by_points() -> None:
    assert lead((2, 5), (7, 5), out={1: 2}).removed == ()


def test_removal_of_a_loser_does_not_change_the_lead() -> None:
    found = lead((2, 0), (4, 0), (4, 0), out={1: 2})

    assert (found.leaders, found.turn, found.removed, found.next, found.margin) == ((0,), 1, (), (), 0)


def test_winner_can_have_fewer_points_than_a_removed_seat() -> None:
    found = lead((1, 4, 1), (3, 4, 1), (-1, 4, 1), out={1: 2, 2: 3})

    assert (found.leaders, found.turn, found.score, found.next) == ((0,), 2, -1, ())
    assert found.removed == (1,)


def test_points_decide_if_all_seats_are_removed() -> None:
    found = lead((5, 2, 0), (5, 4, 0), (5, 4, 0), out={0: 2, 1: 3, 2: 3})

    assert found.all_out
    assert (found.leaders, found.end, found.score) == ((0,), 3, 5)


def test_missing_initial_standing_is_an_error() -> None:
    with pytest.raises(ValueError, match="missing"):
        final_lead([])


def record(*rounds: tuple[list[float] | FaultKind, ...], termination: Termination = Termination.COMPLETED) -> Record:
    """Build a record with one number per seat and round, in which a seat stays out after its fault."""
    seats = len(rounds[0])
    turns, out = [], set[int]()
    for number, played in enumerate(rounds, start=1):
        moves = [
            RecordedMove(seat, None, fault=one) if isinstance(one, FaultKind) else RecordedMove(seat, one)
            for seat, one in enumerate(played)
            if seat not in out
        ]
        out |= {move.seat for move in moves if move.fault}
        turns.append(RecordedTurn(number, moves))
    return Record(
        version=VERSION,
        game="golden_point",
        settings={"numbers": 1, "rounds": len(rounds)},
        seed=1,
        limits={},
        seats=[RecordedSeat(f"bot {seat} v1", "") for seat in range(seats)],
        turns=turns,
        outcome=RecordedOutcome([0.0] * seats, [1] * seats, [0.0] * seats, termination),
    )


def test_standings_of_record_agree_with_the_rules() -> None:
    played = record(([10.0], [20.0], [90.0]), ([30.0], FaultKind.TIMEOUT, [10.0]), ([50.0], [0.0], [50.0]))

    assert list(standings(played)) == [
        TurnScores(0, (0, 0, 0)),
        TurnScores(1, (0, 3, -2)),
        TurnScores(2, (-2, 3, 0), frozenset({1})),
        TurnScores(3, (0, 3, 2), frozenset({1})),
    ]


def test_record_can_end_with_all_seats_out() -> None:
    played = record(([10.0], [20.0]), (FaultKind.CRASH, FaultKind.TIMEOUT))

    assert list(standings(played))[-1] == TurnScores(2, (2, -2), frozenset({0, 1}))
    assert final_lead(standings(played)).all_out
