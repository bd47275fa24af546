"""The referee runs matches between scripted players, with a fake clock that advances only while the referee waits."""

import json

import pytest

from arena.core.messages import verbatim_message
from arena.core.referee.clock import FakeClock
from arena.core.referee.diagnosis import output_between
from arena.core.referee.events import MatchFinished, MatchStarted, TurnPlayed
from arena.core.referee.failure_messages import TOO_BUSY
from arena.core.referee.faults import FaultKind, MatchStopped, RefereeFailure
from arena.core.referee.play import MatchResult, play_match
from arena.core.referee.players import Player, PlayerExit
from arena.core.referee.replay import verify
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.games.base import Json, Termination
from arena.games.golden_point.rules import pack_numbers
from arena.games.registry import GAMES
from tests.core.referee.matches import first_legal, golden_spec, play_to_end, reversi_spec


def two_players(clock: FakeClock, *turns: ScriptedTurn, **options: object) -> list[ScriptedPlayer]:
    """Create two players: black plays the given turns, and then, like white, always takes the first legal square."""
    black = ScriptedPlayer(clock, turns, then=first_legal, **options)  # type: ignore[arg-type]
    return [black, ScriptedPlayer(clock, then=first_legal)]


def test_whole_match_is_played_and_recorded() -> None:
    clock = FakeClock()
    players = two_players(clock)
    result, events = play_to_end(reversi_spec(), players, clock)
    assert result.outcome.termination is Termination.COMPLETED
    assert result.diagnoses == (None, None)
    assert verify(result.record, GAMES) == []
    assert isinstance(events[0], MatchStarted)
    assert events[0].to_json()["view"]["legal"] == ["D3", "C4", "F5", "E6"]
    assert isinstance(events[-1], MatchFinished)
    turns = [event for event in events if isinstance(event, TurnPlayed)]
    assert [turn.number for turn in turns] == list(range(1, len(turns) + 1))
    assert turns[0].to_json()["moves"] == [
        {"seat": 0, "move": "D3", "seconds": 0, "cpu": 0, "wall": 0, "refused": 0, "fault": None}
    ]
    assert all(player.closed for player in players)


def test_bot_is_started_by_three_requests_before_the_first_turn() -> None:
    clock = FakeClock()
    players = two_players(clock)
    play_to_end(reversi_spec(), players, clock)
    kinds = [request["do"] for request in players[0].requests[:4]]
    assert kinds == ["load", "import", "construct", "move"]
    assert players[0].requests[2]["own"] == {"color": "X"}
    assert players[1].requests[2]["own"] == {"color": "O"}


def test_illegal_answer_is_retried_with_the_reason() -> None:
    clock = FakeClock()
    players = two_players(clock, ScriptedTurn("A1", takes=1), ScriptedTurn(None, takes=2), ScriptedTurn("d3", takes=3))
    result, events = play_to_end(reversi_spec(), players, clock)
    first = next(event for event in events if isinstance(event, TurnPlayed)).moves[0]
    assert first.move == "D3"
    assert len(first.rejected) == 2
    assert first.rejected[0].message.code == "illegal.refused"
    assert first.to_json()["refused"] == 2, "what was answered is for its author"
    assert first.seconds == pytest.approx(6.0)
    assert [request["do"] for request in players[0].requests[3:6]] == ["move", "again", "again"]
    assert "not legal" in players[0].requests[4]["reason"]
    assert result.diagnoses == (None, None)


def test_third_consecutive_illegal_answer_loses() -> None:
    clock = FakeClock()
    result, events = play_to_end(
        reversi_spec(), two_players(clock, ScriptedTurn("A1"), ScriptedTurn("Z9"), ScriptedTurn([2, 3])), clock
    )
    assert result.outcome.winner == 1
    assert result.outcome.termination is Termination.FORFEIT
    diagnosis = result.diagnoses[0]
    assert diagnosis is not None
    assert (diagnosis.kind, diagnosis.turn) == (FaultKind.ILLEGAL_MOVE, 1)
    assert (diagnosis.moment.answer_number, diagnosis.moment.answer) == (3, "[2, 3]")
    assert [(one.moment.answer_number, one.moment.answer) for one in result.rejected[0]] == [(1, "'A1'"), (2, "'Z9'")]
    assert result.rejected[1] == ()
    assert "[2, 3]" in diagnosis.message.text
    move = next(event for event in events if isinstance(event, TurnPlayed)).moves[0]
    assert (move.move, move.fault, len(move.rejected)) == (None, FaultKind.ILLEGAL_MOVE, 2)
    assert verify(result.record, GAMES) == []


def test_legal_answer_resets_the_count_of_illegal_ones() -> None:
    clock = FakeClock()
    turns = [ScriptedTurn("A1"), ScriptedTurn("A1"), ScriptedTurn("D3"), ScriptedTurn("Z9"), ScriptedTurn("Z9")]
    result, _ = play_to_end(reversi_spec(), two_players(clock, *turns), clock)
    assert result.diagnoses == (None, None)


def test_number_of_illegal_answers_is_configurable() -> None:
    clock = FakeClock()
    result, _ = play_to_end(reversi_spec(illegal_answers=1), two_players(clock, ScriptedTurn("A1")), clock)
    assert result.outcome.winner == 1


def test_exceeding_the_time_limit_loses() -> None:
    clock = FakeClock()
    players = two_players(clock, ScriptedTurn("D3", takes=1000))
    result, _ = play_to_end(reversi_spec(move_seconds=5), players, clock)
    assert clock.now() == pytest.approx(5.0, abs=0.01)
    diagnosis = result.diagnoses[0]
    assert diagnosis is not None
    assert diagnosis.kind is FaultKind.TIMEOUT
    assert result.outcome.winner == 1
    assert players[0].closed


def test_answers_share_the_time_limit_of_their_turn() -> None:
    clock = FakeClock()
    result, _ = play_to_end(
        reversi_spec(move_seconds=5),
        two_players(clock, ScriptedTurn("A1", takes=3), ScriptedTurn("D3", takes=3)),
        clock,
    )
    assert result.diagnoses[0] is not None
    assert result.diagnoses[0].kind is FaultKind.TIMEOUT


def test_time_limit_restarts_every_turn() -> None:
    clock = FakeClock()
    result, _ = play_to_end(
        reversi_spec(move_seconds=5),
        two_players(clock, ScriptedTurn("D3", takes=4), ScriptedTurn("B4", takes=4)),
        clock,
    )
    assert result.diagnoses[0] is None or result.diagnoses[0].kind is not FaultKind.TIMEOUT


def test_waiting_for_a_core_is_not_charged() -> None:
    clock = FakeClock()
    result, events = play_to_end(
        reversi_spec(move_seconds=5), two_players(clock, ScriptedTurn("D3", takes=15, waits=12)), clock
    )
    move = next(event for event in events if isinstance(event, TurnPlayed)).moves[0]
    assert (move.seconds, move.spent.wall) == (pytest.approx(3.0), pytest.approx(15.0))
    assert result.diagnoses == (None, None)


def test_cpu_time_of_several_threads_is_charged() -> None:
    clock = FakeClock()
    result, _ = play_to_end(reversi_spec(move_seconds=5), two_players(clock, ScriptedTurn("D3", takes=3, cpu=6)), clock)
    assert result.diagnoses[0] is not None
    assert result.diagnoses[0].kind is FaultKind.TIMEOUT


def test_bot_that_never_gets_a_core_ends_the_match_without_losing() -> None:
    """At the wall-clock limit the bot has used little of its time, so the machine is to blame."""
    clock = FakeClock()
    players = two_players(clock, ScriptedTurn("D3", takes=1e6, waits=1e6))
    with pytest.raises(RefereeFailure) as seen:
        play_to_end(reversi_spec(move_seconds=5), players, clock)
    assert seen.value.message == TOO_BUSY(seconds="20.0", seat=1, received="0.0", limit="5")
    assert clock.now() == pytest.approx(5 * 3 + 5, abs=0.01)
    assert all(player.closed for player in players)


def test_answer_after_the_wall_limit_counts_if_little_time_was_used() -> None:
    clock = FakeClock()
    late = ScriptedTurn("D3", takes=19.99, waits=17)
    result, events = play_to_end(reversi_spec(move_seconds=5), two_players(clock, late), clock)
    move = next(event for event in events if isinstance(event, TurnPlayed)).moves[0]
    assert move.seconds == pytest.approx(2.99)
    assert result.diagnoses == (None, None)


@pytest.mark.parametrize("waits", [36.0, 80.0])
def test_simultaneous_seats_waiting_for_one_core_do_not_void_the_match(waits: float) -> None:
    """With four seats on one core, the wall-clock limit lets each seat wait until the others have used their time."""
    clock = FakeClock()

    def answer_slowly(_: Json) -> ScriptedTurn:
        return ScriptedTurn([20, 30], takes=4.5 + waits, waits=waits)

    players: list[Player] = [ScriptedPlayer(clock, then=answer_slowly) for _ in range(4)]

    def play() -> MatchResult:
        spec = golden_spec(seats=4, rounds=1, move_seconds=5)
        return play_match(spec, players, clock, lambda event: None, lambda: False, thinking=4)

    if waits < 4 * 3 * 5:
        assert play().diagnoses == (None,) * 4
    else:
        with pytest.raises(RefereeFailure) as seen:
            play()
        assert seen.value.message.code == TOO_BUSY.code
        assert seen.value.message.parameters["seconds"] == "65.0"


def test_seats_that_take_turns_occupying_the_core_do_not_void_the_match() -> None:
    """The wall-clock limit takes every seat of the turn into account, even if only two seats think at a time."""
    clock = FakeClock()
    starved = ScriptedTurn([20, 30], takes=90.0, waits=86.0)
    players: list[Player] = [ScriptedPlayer(clock, [starved])]
    players += [ScriptedPlayer(clock, [ScriptedTurn([20, 30], takes=4.5)]) for _ in range(24)]
    spec = golden_spec(seats=25, rounds=1, move_seconds=5)
    result = play_match(spec, players, clock, lambda event: None, lambda: False, thinking=2)
    assert result.diagnoses == (None,) * 25


def test_seat_that_sleeps_until_the_wall_limit_is_charged_for_it() -> None:
    """Only part of the wall time was spent waiting for a core, so the bot is charged for the rest."""
    clock = FakeClock()
    result, _ = play_to_end(
        reversi_spec(move_seconds=5), two_players(clock, ScriptedTurn("D3", takes=1e6, waits=14)), clock
    )
    assert result.diagnoses[0] is not None
    assert result.diagnoses[0].kind is FaultKind.TIMEOUT
    assert clock.now() == pytest.approx(19.0, abs=0.01)


def test_exception_traceback_is_shown_to_the_owner() -> None:
    clock = FakeClock()
    failed = {
        "cause": "exception",
        "message": "KeyError: 3",
        "traceback": "Traceback\x1b",
        "file": "main.py",
        "line": 7,
    }
    players = two_players(
        clock, ScriptedTurn("D3", prints=b"first\n"), ScriptedTurn(failed=failed, prints=b"thinking about\x00 it\n")
    )
    result, _ = play_to_end(reversi_spec(), players, clock)
    diagnosis = result.diagnoses[0]
    assert diagnosis is not None
    assert diagnosis.kind is FaultKind.CRASH
    assert (diagnosis.file, diagnosis.line) == ("main.py", 7)
    assert diagnosis.traceback == "Traceback\ufffd"
    begin, end = diagnosis.to_json()["printed"]
    assert output_between(result.logs[0], begin, end) == "thinking about\ufffd it\n"


@pytest.mark.parametrize(
    ("cause", "kind"), [("memory", FaultKind.MEMORY), ("exit", FaultKind.EXIT), ("output", FaultKind.OUTPUT)]
)
def test_failure_causes_map_to_faults(cause: str, kind: FaultKind) -> None:
    clock = FakeClock()
    result, _ = play_to_end(
        reversi_spec(), two_players(clock, ScriptedTurn(failed={"cause": cause, "message": "m"})), clock
    )
    assert result.diagnoses[0] is not None
    assert result.diagnoses[0].kind is kind


def test_process_exits_map_to_faults() -> None:
    clock = FakeClock()
    ends = PlayerExit(FaultKind.EXIT, verbatim_message("It ended its own process."))
    result, _ = play_to_end(reversi_spec(), two_players(clock, ScriptedTurn(ends=ends)), clock)
    assert result.diagnoses[0] is not None
    assert result.diagnoses[0].kind is FaultKind.EXIT


@pytest.mark.parametrize("raw", [b"garbage", json.dumps({"t": "answer", "nonce": "guess", "value": "D3"}).encode()])
def test_garbage_and_forged_replies_lose(raw: bytes) -> None:
    clock = FakeClock()
    result, _ = play_to_end(reversi_spec(), two_players(clock, ScriptedTurn(raw=raw)), clock)
    assert result.outcome.winner == 1
    assert result.diagnoses[0] is not None
    assert result.diagnoses[0].kind is FaultKind.BAD_MESSAGE


def test_failed_start_loses_before_the_first_turn() -> None:
    clock = FakeClock()
    failed = {"cause": "missing_module", "message": "No module named 'numpyy'", "module": "numpyy"}
    white = ScriptedPlayer(clock, start={"import": ScriptedTurn(failed=failed)})
    result, events = play_to_end(reversi_spec(), [ScriptedPlayer(clock), white], clock)
    assert result.outcome.winner == 0
    diagnosis = result.diagnoses[1]
    assert diagnosis is not None
    assert (diagnosis.kind, diagnosis.turn) == (FaultKind.START, 0)
    assert len([event for event in events if isinstance(event, TurnPlayed)]) == 1
    assert verify(result.record, GAMES) == []


def test_no_seat_wins_if_none_starts() -> None:
    clock = FakeClock()
    broken = {"load": ScriptedTurn(failed={"cause": "syntax", "message": "invalid syntax"})}
    players = [ScriptedPlayer(clock, start=broken), ScriptedPlayer(clock, start=broken)]
    result, _ = play_to_end(reversi_spec(), players, clock)
    assert result.outcome.points == (0.0, 0.0)
    assert result.outcome.winner is None
    assert verify(result.record, GAMES) == []


def test_all_startup_requests_share_one_limit() -> None:
    clock = FakeClock()
    slow = {"load": ScriptedTurn(takes=4), "import": ScriptedTurn(takes=4), "construct": ScriptedTurn(takes=4)}
    players = [ScriptedPlayer(clock, start=slow), ScriptedPlayer(clock)]
    result, _ = play_to_end(reversi_spec(start_seconds=10), players, clock)
    diagnosis = result.diagnoses[0]
    assert diagnosis is not None
    assert diagnosis.kind is FaultKind.START
    assert diagnosis.message.code == "timeout.constructing"


def test_resigning_is_not_a_fault() -> None:
    clock = FakeClock()
    result, _ = play_to_end(reversi_spec(), two_players(clock, ScriptedTurn("Q")), clock)
    assert result.outcome.termination is Termination.RESIGNATION
    assert result.diagnoses == (None, None)
    assert verify(result.record, GAMES) == []


def test_simultaneous_game_continues_without_a_removed_seat() -> None:
    clock = FakeClock()
    players = [
        ScriptedPlayer(clock, then=lambda _: ScriptedTurn([30, 40], takes=0.1)),
        ScriptedPlayer(clock, [ScriptedTurn([10, 20]), ScriptedTurn([10, 20], takes=99)]),
        ScriptedPlayer(clock, start={"construct": ScriptedTurn(failed={"cause": "exception", "message": "boom"})}),
        ScriptedPlayer(clock, then=lambda _: ScriptedTurn([5, 6.5], takes=0.1)),
    ]
    result, events = play_to_end(golden_spec(seats=4, rounds=5, move_seconds=1), players, clock)
    turns = [event for event in events if isinstance(event, TurnPlayed)]
    assert len(turns) == 5
    assert [[move.seat for move in turn.moves] for turn in turns] == [[0, 1, 2, 3], [0, 1, 3], [0, 3], [0, 3], [0, 3]]
    assert result.outcome.termination is Termination.COMPLETED
    assert result.outcome.ranks[1] > 2
    kinds = [diagnosis.kind if diagnosis else None for diagnosis in result.diagnoses]
    assert kinds == [None, FaultKind.TIMEOUT, FaultKind.START, None]
    assert verify(result.record, GAMES) == []


def test_every_seat_receives_the_same_bytes_and_only_the_last_round() -> None:
    clock = FakeClock()
    players = [ScriptedPlayer(clock, then=lambda _, n=n: ScriptedTurn([10 + n, 20 + n])) for n in range(3)]
    play_to_end(golden_spec(rounds=4), players, clock)
    third = [[request for request in player.requests if request["do"] == "move"][2] for player in players]
    assert all(request["shared"] == third[0]["shared"] for request in third)
    assert third[0]["shared"]["previous"]["numbers"] == pack_numbers([(10, 20), (11, 21), (12, 22)])
    assert {request["nonce"] for request in third}.__len__() == 3


def test_bot_is_suspended_while_others_think() -> None:
    clock = FakeClock()
    thinking: list[int] = []
    players: list[ScriptedPlayer] = []

    def think(_: object) -> ScriptedTurn:
        thinking.append(sum(not player.resting for player in players))
        return ScriptedTurn([30, 40], takes=1)

    slow = {"construct": ScriptedTurn(takes=1)}  # after a quick answer two players would think simultaneously
    players += [ScriptedPlayer(clock, then=think, start=slow) for _ in range(3)]
    play_to_end(golden_spec(rounds=3), players, clock)
    assert set(thinking) == {0}
    assert all(player.resting for player in players)


def test_pace_separates_turns() -> None:
    clock = FakeClock()
    _, events = play_to_end(golden_spec(rounds=3, pace_seconds=2), _golden(clock), clock)
    assert len([event for event in events if isinstance(event, TurnPlayed)]) == 3
    assert clock.now() == pytest.approx(6.0)


def test_stop_ends_the_match_and_its_processes() -> None:
    clock = FakeClock()
    players = _golden(clock)
    with pytest.raises(MatchStopped):
        play_to_end(golden_spec(rounds=100, pace_seconds=1), players, clock, stop_at=10.0)
    assert clock.now() == pytest.approx(10.0, abs=0.3)
    assert all(player.closed for player in players)


def test_arena_failure_is_not_a_fault_of_any_seat() -> None:
    clock = FakeClock()
    players = [ScriptedPlayer(clock), ScriptedPlayer(clock, breaks=True)]
    with pytest.raises(RefereeFailure):
        play_to_end(reversi_spec(), players, clock)
    assert all(player.closed for player in players)


def _golden(clock: FakeClock) -> list[ScriptedPlayer]:
    return [ScriptedPlayer(clock, then=lambda _, n=n: ScriptedTurn([10 + n, 20 + n])) for n in range(3)]
