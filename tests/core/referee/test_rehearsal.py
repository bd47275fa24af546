"""A rehearsal asks a bot, here a scripted player, for its move in a given position."""

from __future__ import annotations

import pytest

from arena.core.referee.clock import FakeClock
from arena.core.referee.faults import FaultKind, MatchStopped
from arena.core.referee.position import position_at
from arena.core.referee.record import Record
from arena.core.referee.rehearsal import RehearsalResult, rehearse
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.games.base import Json
from arena.games.golden_point.rules import pack_numbers
from arena.games.registry import GAMES
from tests.core.referee.matches import first_legal, golden_spec, play_to_end, reversi_spec

CRASH = ScriptedTurn(failed={"cause": "exception", "message": "KeyError: 3"})


@pytest.fixture(scope="module")
def golden() -> Record:
    """Return a golden-point record of four rounds; seat 1 leaves in the third."""
    clock = FakeClock()
    players = [
        ScriptedPlayer(clock, then=lambda _: ScriptedTurn([20.0])),
        ScriptedPlayer(clock, [ScriptedTurn([30.0]), ScriptedTurn([31.0]), CRASH]),
        ScriptedPlayer(clock, then=lambda _: ScriptedTurn([40.0])),
    ]
    return play_to_end(golden_spec(numbers=1), players, clock)[0].record


@pytest.fixture(scope="module")
def reversi() -> Record:
    clock = FakeClock()
    players = [ScriptedPlayer(clock, then=first_legal) for _ in range(2)]
    return play_to_end(reversi_spec(), players, clock)[0].record


def rehearse_turn(
    record: Record, turn: int, seat: int, player: ScriptedPlayer, clock: FakeClock, earlier: bool = True
) -> RehearsalResult:
    position = position_at(record, turn, seat)
    return rehearse(position, GAMES, player, clock, position.match_limits(), lambda: False, earlier=earlier)


def moves(player: ScriptedPlayer) -> list[Json]:
    return [request for request in player.requests if request["do"] == "move"]


def test_bot_receives_the_requests_of_its_seat_and_fails_at_the_same_one(golden: Record) -> None:
    clock = FakeClock()
    player = ScriptedPlayer(clock, [ScriptedTurn([30.0]), ScriptedTurn([31.0]), CRASH])
    done = rehearse_turn(golden, 3, 1, player, clock)
    assert (done.turn, done.move, done.repeated, done.differed) == (3, None, 2, 0)
    assert done.diagnosis is not None
    assert (done.diagnosis.kind, done.diagnosis.turn) == (FaultKind.CRASH, 3)
    assert [request["shared"]["round"] for request in moves(player)] == [1, 2, 3]
    assert moves(player)[2]["shared"]["previous"]["numbers"] == pack_numbers([(20.0,), (31.0,), (40.0,)])
    assert player.closed


def test_fixed_bot_passes_the_rehearsal(golden: Record) -> None:
    clock = FakeClock()
    done = rehearse_turn(golden, 3, 1, ScriptedPlayer(clock, then=lambda _: ScriptedTurn([30.0], takes=2.0)), clock)
    assert (done.turn, done.move, done.diagnosis, done.differed) == (3, [30.0], None, 1)
    assert done.spent.charged == pytest.approx(2.0)


class LateOutputPlayer(ScriptedPlayer):
    """A player whose output becomes available only after the player is closed."""

    def log(self) -> bytes:
        return super().log() if self.closed else b""


@pytest.mark.parametrize("last", [ScriptedTurn([30.0]), CRASH])
def test_log_is_read_after_all_output_has_arrived(golden: Record, last: ScriptedTurn) -> None:
    clock = FakeClock()
    player = LateOutputPlayer(clock, [ScriptedTurn([30.0]), ScriptedTurn([31.0]), last], printed=b"thinking\n")
    assert rehearse_turn(golden, 3, 1, player, clock).log == b"thinking\n"


def test_seat_that_left_receives_no_later_requests(golden: Record) -> None:
    clock = FakeClock()
    player = ScriptedPlayer(clock, then=lambda _: ScriptedTurn([20.0]))
    done = rehearse_turn(golden, 4, 0, player, clock)
    assert done.diagnosis is None
    previous = moves(player)[3]["shared"]["previous"]
    assert (previous["numbers"], previous["silent"]) == (pack_numbers([(20.0,), None, (40.0,)]), [1])


def test_illegal_answers_are_retried_and_counted(reversi: Record) -> None:
    clock = FakeClock()
    done = rehearse_turn(reversi, 1, 0, ScriptedPlayer(clock, [ScriptedTurn("A1"), ScriptedTurn("D3")]), clock)
    assert (done.move, len(done.rejected)) == ("D3", 1)
    done = rehearse_turn(reversi, 1, 0, ScriptedPlayer(clock, then=lambda _: ScriptedTurn("A1")), clock)
    assert done.diagnosis is not None
    assert done.diagnosis.kind is FaultKind.ILLEGAL_MOVE
    assert done.diagnosis.message.code == "illegal.in_a_row"
    assert len(done.rejected) == 3


def test_position_can_be_rehearsed_without_earlier_moves(reversi: Record) -> None:
    clock = FakeClock()
    player = ScriptedPlayer(clock, then=first_legal)
    done = rehearse_turn(reversi, 20, reversi.turns[19].moves[0].seat, player, clock, earlier=False)
    assert (done.repeated, len(moves(player))) == (0, 1)
    assert done.move == reversi.turns[19].moves[0].move


def test_bot_that_fails_earlier_receives_no_further_requests(reversi: Record) -> None:
    clock = FakeClock()
    done = rehearse_turn(reversi, 5, 0, ScriptedPlayer(clock, [CRASH]), clock)
    assert done.turn == 1
    done = rehearse_turn(reversi, 5, 0, ScriptedPlayer(clock, start={"import": CRASH}), clock)
    assert done.turn == 0
    assert done.diagnosis is not None
    assert done.diagnosis.kind is FaultKind.START


def test_slow_bot_times_out(reversi: Record) -> None:
    clock = FakeClock()
    done = rehearse_turn(reversi, 1, 0, ScriptedPlayer(clock, [ScriptedTurn("D3", takes=61.0)]), clock)
    assert done.diagnosis is not None
    assert done.diagnosis.kind is FaultKind.TIMEOUT


def test_bot_that_did_not_start_is_only_asked_to_start() -> None:
    clock = FakeClock()
    players = [ScriptedPlayer(clock, then=first_legal), ScriptedPlayer(clock, start={"import": CRASH})]
    record = play_to_end(reversi_spec(), players, clock)[0].record
    done = rehearse_turn(record, 1, 1, ScriptedPlayer(clock, start={"import": CRASH}), clock)
    assert done.diagnosis is not None
    mended = ScriptedPlayer(clock)
    assert rehearse_turn(record, 1, 1, mended, clock).diagnosis is None
    assert moves(mended) == []


def test_rehearsal_can_be_stopped_and_closes_the_player(reversi: Record) -> None:
    clock = FakeClock()
    player = ScriptedPlayer(clock, [ScriptedTurn("D3", takes=50.0)])
    position = position_at(reversi, 1, 0)
    with pytest.raises(MatchStopped):
        rehearse(position, GAMES, player, clock, position.match_limits(), lambda: clock.now() > 1.0)
    assert player.closed
