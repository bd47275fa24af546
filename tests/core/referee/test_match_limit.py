"""A match that reaches its time limit ends without a winner and is not void; its result says who used the time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arena.core.referee.clock import FakeClock
from arena.core.referee.events import MatchEvent, MatchFinished, MatchStarted, TurnPlayed
from arena.core.referee.faults import FaultKind
from arena.core.referee.play import MatchResult, play_match
from arena.core.referee.record import dump, load
from arena.core.referee.replay import verify
from arena.core.referee.spec import MatchLimits, MatchSpec, SeatSpec
from arena.core.referee.testing import NEVER, ScriptedPlayer, ScriptedTurn
from arena.games.base import Termination
from arena.games.registry import GAMES

LIMITS = MatchLimits(move_seconds=60.0, match_seconds=100.0)
BLACK, WHITE = ["E6", "E3", "G5", "E7", "C5"], ["F4", "F6", "D6", "F5"]


def spec(seats: int = 2, game: str = "reversi", limits: MatchLimits = LIMITS, **settings: Any) -> MatchSpec:
    return MatchSpec(GAMES[game], settings, 1, limits, tuple(SeatSpec(f"bot {seat}", "") for seat in range(seats)))


def play_limited(of: MatchSpec, *players: ScriptedPlayer, clock: FakeClock) -> tuple[MatchResult, list[MatchEvent]]:
    events: list[MatchEvent] = []
    result = play_match(of, players, clock, events.append, lambda: False, thinking=8)
    assert all(player.closed for player in players)
    return result, events


def test_sleeping_bot_is_cut_off_mid_move_and_its_time_is_counted() -> None:
    clock = FakeClock()
    slow = ScriptedPlayer(clock, [ScriptedTurn(move, takes=45.0) for move in BLACK])
    quick = ScriptedPlayer(clock, [ScriptedTurn(move, takes=0.5) for move in WHITE])
    result, events = play_limited(spec(), slow, quick, clock=clock)
    assert clock.now() == pytest.approx(100.0, abs=0.5)
    outcome = result.outcome
    assert (outcome.termination, outcome.winner, outcome.points) == (Termination.TIME_LIMIT, None, (0.0, 0.0))
    assert [type(event) for event in events] == [MatchStarted, *[TurnPlayed] * 4, MatchFinished]
    assert result.unfinished[0] == pytest.approx(9.0, abs=0.5)
    assert result.unfinished[1] == 0.0
    assert result.diagnoses == (None, None)


def test_record_cut_by_the_limit_verifies_but_a_forged_one_does_not() -> None:
    clock = FakeClock()
    slow = ScriptedPlayer(clock, [ScriptedTurn(move, takes=45.0) for move in BLACK])
    quick = ScriptedPlayer(clock, [ScriptedTurn(move) for move in WHITE])
    record = play_limited(spec(), slow, quick, clock=clock)[0].record
    assert record.limits["match_seconds"] == 100.0
    assert verify(load(dump(record)), GAMES) == []
    unlimited = {name: value for name, value in record.limits.items() if name != "match_seconds"}
    forged = type(record).from_json({**record.to_json(), "limits": unlimited})
    assert [problem.code for problem in verify(forged, GAMES)] == ["record.unfinished"]


def test_match_that_ends_in_time_is_unaffected_by_the_limit() -> None:
    clock = FakeClock()
    players = [ScriptedPlayer(clock, [ScriptedTurn(move) for move in moves]) for moves in (BLACK, WHITE)]
    result, _events = play_limited(spec(), *players, clock=clock)
    assert (result.outcome.termination, result.unfinished) == (Termination.COMPLETED, (0.0, 0.0))


def test_bot_that_exceeds_its_own_limit_first_loses_as_usual() -> None:
    clock = FakeClock()
    slow = ScriptedPlayer(clock, [ScriptedTurn("E6", takes=NEVER)])
    quick = ScriptedPlayer(clock, [ScriptedTurn(move) for move in WHITE])
    result, _events = play_limited(spec(), slow, quick, clock=clock)
    assert (result.outcome.termination, result.outcome.winner) == (Termination.FORFEIT, 1)
    assert result.diagnoses[0] is not None
    assert result.diagnoses[0].kind is FaultKind.TIMEOUT


def test_slow_pace_and_slow_start_count_towards_the_match_limit() -> None:
    clock = FakeClock()
    players = [ScriptedPlayer(clock, [ScriptedTurn(move) for move in moves]) for moves in (BLACK, WHITE)]
    paced = replace(LIMITS, pace_seconds=30.0)
    result, _events = play_limited(spec(limits=paced), *players, clock=clock)
    assert result.outcome.termination is Termination.TIME_LIMIT
    assert clock.now() == pytest.approx(100.0, abs=0.5)
    clock = FakeClock()
    starting = [ScriptedPlayer(clock, start={"import": ScriptedTurn(takes=9.0)}) for _ in range(2)]
    brief = replace(LIMITS, match_seconds=5.0)
    result, events = play_limited(spec(limits=brief), *starting, clock=clock)
    assert result.outcome.termination is Termination.TIME_LIMIT
    assert [type(event) for event in events] == [MatchStarted, MatchFinished]
    assert verify(result.record, GAMES) == []


def test_faulting_seats_of_a_table_rank_below_the_others() -> None:
    clock = FakeClock()
    crashes = ScriptedPlayer(clock, [ScriptedTurn(failed={"cause": "exception", "message": "ZeroDivisionError"})])
    sleeps = ScriptedPlayer(clock, then=lambda request: ScriptedTurn([30], takes=40.0))
    quick = ScriptedPlayer(clock, then=lambda request: ScriptedTurn([20]))
    table = spec(3, "golden_point", numbers=1, rounds=50)
    result, _events = play_limited(table, crashes, sleeps, quick, clock=clock)
    assert (result.outcome.ranks, result.outcome.termination) == ((3, 1, 1), Termination.TIME_LIMIT)
    assert verify(result.record, GAMES) == []
    assert result.unfinished[1] > result.unfinished[2]
