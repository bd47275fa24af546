"""The notebook functions for 2584 read match records and look up the values of boards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.core.referee.record import dump
from arena.games.fib2584.values import start_value
from bots.notebook import fib2584
from tests.bots.fib2584.matches import best_direction, play_match, worst_direction


@pytest.mark.long
def test_record_is_read_from_json_and_stored_format(tmp_path: Path) -> None:
    record = play_match([best_direction, worst_direction])
    (tmp_path / "record.json").write_text(json.dumps(record.to_json()))
    (tmp_path / "record.bin").write_bytes(dump(record))
    for name in ("record.json", "record.bin"):
        match = fib2584.read(tmp_path / name)
        first, second = match.scores()
        assert (first.player, first.adjusted, first.regret) == ("bot 0", start_value(), 0.0)
        assert first.luck == pytest.approx(first.raw - start_value())
        assert second.regret > 100
        assert match.worst("bot 0") is None
        moves = match.moves(1)
        assert match.worst(1) == max(moves, key=lambda move: move.regret)
        assert sum(move.reward for move in moves) == pytest.approx(2 * second.raw)
        with pytest.raises(KeyError, match="no player 'nobody'"):
            match.moves("nobody")


def test_another_game_is_rejected(tmp_path: Path) -> None:
    record = {**play_match([best_direction], games=1).to_json(), "game": "reversi"}
    (tmp_path / "record.json").write_text(json.dumps(record))
    with pytest.raises(ValueError, match="reversi"):
        fib2584.read(tmp_path / "record.json")


def test_boards_have_values() -> None:
    assert fib2584.value("b", 2, 2, 0, 0, 0, 0) == pytest.approx(1422.339233, abs=1e-3)
    assert fib2584.value("a", 2, 2, 2, 2, 2, 2) is None
    assert list(fib2584.directions(2, 2, 0, 0, 0, 0)) == ["right", "down"]
    with pytest.raises(ValueError, match="six tiles"):
        fib2584.value("b", 1)
