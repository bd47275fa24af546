"""The notebook functions analyse both the course's recorded match and a match record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.core.referee.faults import FaultKind
from arena.core.referee.record import VERSION, Record, RecordedMove, RecordedOutcome, RecordedSeat, RecordedTurn, dump
from arena.games.base import Termination
from bots.notebook import golden_point
from tests.games.golden_point.evaluation.matches import RECORDED


@pytest.fixture
def record() -> Record:
    """Return a record with two seats of the same name, and a third that crashes on the second turn."""
    moves = [{0: [20.0], 1: [30.0], 2: [90.0]}, {0: [20.0], 1: [30.0], 2: None}]
    turns = [
        RecordedTurn(
            number,
            [RecordedMove(seat, move, fault=None if move else FaultKind.CRASH) for seat, move in named.items()],
        )
        for number, named in enumerate(moves, start=1)
    ]
    outcome = RecordedOutcome([2.0, 1.0, -2.0], [1, 2, 3], [2.0, 1.0, -2.0], Termination.COMPLETED)
    seats = [RecordedSeat(name, "0" * 64) for name in ("trend", "trend", "steady")]
    settings = {"numbers": 1, "rounds": 2}
    return Record(VERSION, "golden_point", settings, 1, {"move_seconds": 1.0}, seats, turns, outcome)


def test_record_is_read_from_json_and_stored_format(record: Record, tmp_path: Path) -> None:
    (tmp_path / "record.json").write_text(json.dumps(record.to_json()))
    (tmp_path / "record.bin").write_bytes(dump(record))
    for name in ("record.json", "record.bin"):
        match = golden_point.read(tmp_path / name)
        assert repr(match) == "<golden point: 3 players, 2 rounds>"
        assert match.players == ("trend", "trend (2)", "steady")
        assert match.scores() == {"trend": 2, "trend (2)": 1, "steady": -2}
        assert match.numbers("steady") == [(90.0,), None]
        assert [match.regret(player) for player in match.players] == [[3, 3], [0, 4], [5, 5]]


def test_recorded_match_is_read() -> None:
    match = golden_point.read(RECORDED)
    assert len(match.golden) == 400
    best = next(iter(match.scores()))
    assert match.scores()[best] == 962
    assert match.regret(best) == match.regret(match.players.index(best))
    replies = match.replies(17, best)
    assert replies is not None
    there = match.what_if(17, best, replies.best, replies.best)
    assert there.golden == pytest.approx(replies.best)
    assert there.gains[best] == max(there.gains.values())
    single = match.best_single(best)
    assert single is not None
    assert single.low < single.number < single.high
    assert {phase.number for phase in match.strategies(best)} == {1, 2}
    disruption = match.disruptions()[0]
    assert (disruption.round, disruption.player, disruption.number) == (1, "Player 23", 60.0)


def test_unknown_players_and_bad_files_are_reported(tmp_path: Path) -> None:
    match = golden_point.read(RECORDED)
    with pytest.raises(KeyError, match="no player 'Zoe'"):
        match.regret("Zoe")
    with pytest.raises(KeyError, match="no player 23"):
        match.regret(23)
    with pytest.raises(KeyError, match="no round 401"):
        match.what_if(401, 0, 5.0)
    (tmp_path / "bad.csv").write_text("round,Ann,Bob\n1,2,x\n")
    with pytest.raises(ValueError, match="Line 2: 'x' is not valid"):
        golden_point.read(tmp_path / "bad.csv")
