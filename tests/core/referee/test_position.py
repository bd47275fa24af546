"""Positions are extracted from records, stored and loaded; invalid ones are refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arena.core.messages import verbatim_message
from arena.core.referee.clock import FakeClock
from arena.core.referee.diagnosis import Diagnosis, FaultContext
from arena.core.referee.faults import FaultKind
from arena.core.referee.position import (
    Position,
    PositionError,
    first_fault,
    observation_of,
    opening_position,
    position_at,
)
from arena.core.referee.record import Record
from arena.core.referee.record_messages import DOWNLOAD_AGAIN
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.games.base import Json
from arena.games.registry import GAMES
from tests.core.referee.matches import first_legal, golden_spec, play_to_end, reversi_spec

CRASHED = Diagnosis(FaultKind.CRASH, verbatim_message("KeyError: 3"), "Traceback", "main.py", 1, "x", FaultContext(3))


def legal_until_late(request: Json) -> ScriptedTurn:
    """Play while more than 56 squares are empty, then answer with something that is not a square."""
    return first_legal(request) if request["shared"]["board"].count(".") > 56 else ScriptedTurn("Z9")


@pytest.fixture(scope="module")
def reversi() -> Record:
    """Return a Reversi record in which seat 1 answers illegally in its third and later turns."""
    clock = FakeClock()
    players = [ScriptedPlayer(clock, then=first_legal), ScriptedPlayer(clock, then=legal_until_late)]
    return play_to_end(reversi_spec(), players, clock)[0].record


@pytest.fixture(scope="module")
def golden() -> Record:
    """Return a golden-point record in which seat 1 crashes in the third of four rounds."""
    clock = FakeClock()
    crash = ScriptedTurn(failed={"cause": "exception", "message": "KeyError: 3"})
    players = [
        ScriptedPlayer(clock, then=lambda _: ScriptedTurn([20.0])),
        ScriptedPlayer(clock, [ScriptedTurn([30.0]), ScriptedTurn([31.0]), crash]),
        ScriptedPlayer(clock, then=lambda _: ScriptedTurn([40.0])),
    ]
    return play_to_end(golden_spec(numbers=1), players, clock)[0].record


def test_first_fault_is_found(reversi: Record, golden: Record) -> None:
    turn, seat = first_fault(reversi) or (0, 0)
    assert (turn, seat) == (len(reversi.turns), 1)
    assert first_fault(reversi, seat=0) is None
    assert first_fault(golden) == (3, 1)


def test_position_contains_the_earlier_moves(reversi: Record) -> None:
    position = position_at(reversi, len(reversi.turns), 1)
    assert position.turn == len(reversi.turns)
    assert [moves[0].move for moves in position.turns] == [turn.moves[0].move for turn in reversi.turns[:-1]]
    assert position.observed is not None
    assert position.observed.fault is FaultKind.ILLEGAL_MOVE
    assert position.replay(GAMES).to_move() == {1}


def test_position_survives_a_round_trip_through_its_file(reversi: Record, golden: Record) -> None:
    observed = observation_of(CRASHED, [CRASHED])
    for position in (
        position_at(reversi, 3, 0),
        position_at(golden, 3, 1, observed),
        position_at(golden, 4, 0),
        opening_position(reversi_spec(), 1),
    ):
        assert Position.from_json(json.loads(json.dumps(position.to_json())), GAMES) == position


def test_position_contains_the_failure_reason_only_for_the_owner(golden: Record) -> None:
    assert "KeyError" not in json.dumps(position_at(golden, 3, 1).to_json())
    assert "KeyError" in json.dumps(position_at(golden, 3, 1, observation_of(CRASHED)).to_json())


@pytest.mark.parametrize(("turn", "seat", "reason"), [(0, 0, "turns 1 to"), (99, 0, "turns 1 to"), (1, 1, "not asked")])
def test_turns_without_a_request_to_the_seat_have_no_position(
    reversi: Record, turn: int, seat: int, reason: str
) -> None:
    with pytest.raises(PositionError, match=reason):
        position_at(reversi, turn, seat)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"version": 3}, "versions 1 and 2"),
        ({"version": None}, "versions 1 and 2"),
        ({"format": "another"}, "not a position"),
        ({"more": 1}, "not a position"),
        ({"game": "chess"}, "no game 'chess'"),
        ({"settings": {"size": 10}}, "settings"),
        ({"seat": 2}, "no seat 2"),
        ({"seats": ["one"], "seat": 0}, "settings|played by"),
        ({"turns": [[{"seat": 0, "move": "A1"}]]}, "cannot play 'A1'"),
        ({"turns": [[{"seat": 1, "move": "D3"}]]}, "seats"),
        ({"turns": 7}, "not a position"),
        ({"limits": {"move_seconds": 0, "start_seconds": 1, "illegal_answers": 3}}, "limits"),
    ],
)
def test_invalid_position_is_refused(reversi: Record, change: dict[str, Any], reason: str) -> None:
    with pytest.raises(PositionError, match=reason) as refused:
        Position.from_json({**position_at(reversi, 3, 0).to_json(), **change}, GAMES)
    assert str(refused.value).endswith((DOWNLOAD_AGAIN, "Update your copy of the arena.")), "the next step"
