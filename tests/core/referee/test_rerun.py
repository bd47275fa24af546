"""A bot can be rerun in the seat that it had in a recorded match (here with scripted players)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest

from arena.core.messages import verbatim_message
from arena.core.referee.clock import FakeClock
from arena.core.referee.events import TurnPlayed
from arena.core.referee.faults import FaultKind
from arena.core.referee.play import play_match
from arena.core.referee.players import PlayerExit
from arena.core.referee.record import Record, RecordError
from arena.core.referee.rerun import RerunResult, SeatAnswer, rerun
from arena.core.referee.spec import MatchLimits, MatchSpec
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.games.base import Json
from arena.games.registry import GAMES
from tests.core.referee.matches import first_legal, golden_spec, play_to_end, reversi_spec
from tests.core.referee.test_fresh_start import first_legal as first_listed
from tests.core.referee.test_fresh_start import suit_pairs

SECRET = "00112233445566778899aabbccddeeff"
CRASH = ScriptedTurn(failed={"cause": "exception", "message": "KeyError: 3"})
GONE = ScriptedTurn(ends=PlayerExit(FaultKind.EXIT, verbatim_message("It ended.")))
TILES = MatchSpec(GAMES["fib2584"], {}, 1, seats=golden_spec(seats=1).seats)
SPECS: dict[str, tuple[MatchSpec, Callable[[Json], ScriptedTurn]]] = {
    "reversi": (reversi_spec(), first_legal),
    "golden_point": (golden_spec(numbers=1), lambda _: ScriptedTurn([20.0])),
    "fib2584": (TILES, lambda request: ScriptedTurn(request["own"]["legal"][0])),
    "suit_pairs": (suit_pairs(deals=2), first_listed),
}


def recorded_answers(spec: MatchSpec, *players: ScriptedPlayer) -> Record:
    return play_to_end(replace(spec, secret=SECRET), list(players), FakeClock())[0].record


def rerun_seat(record: Record, seat: int, player: ScriptedPlayer) -> RerunResult:
    limits = MatchLimits(record.limits["move_seconds"], record.limits["start_seconds"])
    return rerun(record, seat, GAMES, player, FakeClock(), limits, lambda: False)


def scripted_player(*turns: ScriptedTurn, then: Callable[[Json], ScriptedTurn] = first_legal) -> ScriptedPlayer:
    return ScriptedPlayer(FakeClock(), list(turns), then=then)


@pytest.mark.parametrize("game", SPECS)
def test_bot_receives_the_same_requests_and_its_answers_are_compared(game: str) -> None:
    spec, play = SPECS[game]
    players = [scripted_player(then=play) for _ in spec.seats]
    record = recorded_answers(spec, *players)
    for seat, before in enumerate(players):
        player = scripted_player(then=play)
        found = rerun_seat(record, seat, player)
        assert found.is_equal
        assert found.turns == sum(move.seat == seat for turn in record.turns for move in turn.moves)
        assert [without_nonce(one) for one in player.requests] == [without_nonce(one) for one in before.requests]
        assert player.starts == before.starts
        assert player.closed


def without_nonce(request: Json) -> Json:
    return {name: value for name, value in request.items() if name not in ("nonce", "trace_seconds")}


def test_every_game_can_be_rerun() -> None:
    assert set(SPECS) == set(GAMES)


@pytest.fixture(scope="module")
def reversi() -> Record:
    return recorded_answers(reversi_spec(), scripted_player(), scripted_player())


def test_first_different_answer_ends_the_rerun(reversi: Record) -> None:
    moves = [turn.moves[0].move for turn in reversi.turns if turn.moves[0].seat == 0]
    player = scripted_player(ScriptedTurn(moves[0]), ScriptedTurn(moves[1]), then=last_legal)
    found = rerun_seat(reversi, 0, player)
    assert found.difference is not None
    assert (found.difference.turn, found.turns) == (5, 3)
    assert found.difference.recorded == SeatAnswer(moves[2])
    assert found.difference.now.move not in (None, moves[2])
    assert sum(request["do"] == "move" for request in player.requests) == 3


def last_legal(request: Json) -> ScriptedTurn:
    board = request["shared"]["board"]
    turned = {**request, "shared": {**request["shared"], "board": board[::-1]}}
    name = str(first_legal(turned).answer)  # the first legal move on the board rotated by 180 degrees
    return ScriptedTurn("HGFEDCBA"["ABCDEFGH".index(name[0])] + str(9 - int(name[1])))


def test_same_move_after_a_rejected_answer_counts_as_different(reversi: Record) -> None:
    found = rerun_seat(reversi, 0, scripted_player(ScriptedTurn("A1")))
    assert found.difference is not None
    assert found.difference.recorded.rejected == 0
    assert found.difference.now.rejected == 1
    assert found.difference.now.move == found.difference.recorded.move


@pytest.mark.parametrize(("then", "equal"), [(CRASH, True), (GONE, False), (ScriptedTurn("A1"), False)])
def test_faults_are_compared_by_kind(then: ScriptedTurn, equal: bool) -> None:
    record = recorded_answers(reversi_spec(), scripted_player(), scripted_player(CRASH))
    found = rerun_seat(record, 1, scripted_player(then))
    assert found.is_equal is equal
    if found.difference is not None:
        assert found.difference.recorded == SeatAnswer(None, 0, FaultKind.CRASH)
        assert found.difference.turn == 2
    if then is GONE:
        assert found.difference is not None
        assert found.difference.diagnosis is not None
        assert found.difference.now.fault is FaultKind.EXIT


def test_bot_that_no_longer_starts_differs_in_its_first_turn(reversi: Record) -> None:
    found = rerun_seat(reversi, 1, ScriptedPlayer(FakeClock(), start={"import": CRASH}, then=first_legal))
    assert found.difference is not None
    assert (found.difference.turn, found.difference.now.fault) == (2, FaultKind.START)


def test_bot_that_failed_to_start_in_the_match_and_again_is_equal() -> None:
    broken = ScriptedPlayer(FakeClock(), start={"import": CRASH}, then=first_legal)
    record = recorded_answers(reversi_spec(), scripted_player(), broken)
    assert rerun_seat(record, 1, ScriptedPlayer(FakeClock(), start={"import": CRASH}, then=first_legal)).is_equal
    found = rerun_seat(record, 1, scripted_player())
    assert found.difference is not None
    assert found.difference.recorded.fault is FaultKind.START
    assert found.difference.now.fault is None


def test_resumed_match_is_resumed_in_the_rerun() -> None:
    spec = replace(reversi_spec(), secret=SECRET)
    _, events = play_to_end(spec, [scripted_player(), scripted_player()], FakeClock())
    played = [event.moves for event in events if isinstance(event, TurnPlayed)][:10]
    players = [scripted_player(), scripted_player()]
    result = play_match(
        spec, players, FakeClock(), lambda event: None, lambda: False, played=played, resumed=[5, 11], thinking=1
    )
    assert result.record.resumed == [5, 11]
    assert Record.from_json(result.record.to_json()) == result.record
    player = scripted_player()
    assert rerun_seat(result.record, 0, player).is_equal
    seeds = [request["seed"] for request in player.requests if request["do"] == "load"]
    assert len(set(seeds)) == player.starts == 3
    assert seeds[2] == players[0].requests[0]["seed"], "the worker that ended the match started it with this seed"


def test_record_without_a_secret_cannot_be_rerun(reversi: Record) -> None:
    player = scripted_player()
    with pytest.raises(RecordError) as refused:
        rerun_seat(msgspec.structs.replace(reversi, secret=""), 0, player)
    assert refused.value.message.code == "record.no_secret"
    assert not player.requests
