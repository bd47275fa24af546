"""Bots can be restarted between two turns: they get the first requests again, and a failed restart costs the match."""

from __future__ import annotations

from typing import Any

import pytest

from arena.core.messages import verbatim_message
from arena.core.referee.clock import FakeClock
from arena.core.referee.diagnosis import output_between
from arena.core.referee.faults import FaultKind, RefereeFailure
from arena.core.referee.play import MatchResult, play_match
from arena.core.referee.players import Player, PlayerExit
from arena.core.referee.position import first_fault, position_at
from arena.core.referee.record import dump, load
from arena.core.referee.rehearsal import rehearse
from arena.core.referee.replay import verify
from arena.core.referee.spec import MatchLimits, MatchSpec, SeatClock, SeatSpec
from arena.core.referee.testing import ScriptedInbox, ScriptedPerson, ScriptedPlayer, ScriptedTurn
from arena.games.base import Json, Termination
from arena.games.registry import GAMES

STARTUP_REQUESTS = ["load", "import", "construct"]
CRASH = ScriptedTurn(failed={"cause": "exception", "message": "KeyError: 3"})
ENDS = ScriptedTurn(ends=PlayerExit(FaultKind.EXIT, verbatim_message("It ended.")))


def first_legal(request: Json) -> ScriptedTurn:
    return ScriptedTurn(request["own"]["legal"][0])


def suit_pairs(deals: int = 1, mirrored: int = 1, **limits: float) -> MatchSpec:
    settings = {"deals": deals, "mirrored": mirrored}
    seats = tuple(SeatSpec(f"bot {seat}", f"{seat:064}") for seat in range(2))
    return MatchSpec(GAMES["suit_pairs"], settings, 1, MatchLimits(**limits), seats)  # type: ignore[arg-type]


def play_deals(spec: MatchSpec, clock: FakeClock, *players: Player) -> MatchResult:
    return play_match(spec, players, clock, lambda event: None, lambda: False, thinking=1)


def requests_by_process(player: ScriptedPlayer) -> list[list[Json]]:
    """Return the requests sent to each process of the bot."""
    starts = [number for number, request in enumerate(player.requests) if request["do"] == "load"]
    return [player.requests[begin:end] for begin, end in zip(starts, [*starts[1:], None], strict=True)]


@pytest.mark.parametrize(("mirrored", "deals"), [(1, 4), (0, 2)])
def test_bots_are_restarted_before_every_deal_and_receive_the_initial_requests(mirrored: int, deals: int) -> None:
    clock = FakeClock()
    players = [ScriptedPlayer(clock, then=first_legal) for _ in range(2)]
    result = play_deals(suit_pairs(2, mirrored), clock, *players)
    assert result.outcome.termination is Termination.COMPLETED
    assert verify(result.record, GAMES) == []
    assert load(dump(result.record)) == result.record
    for seat, player in enumerate(players):
        lives = requests_by_process(player)
        assert player.starts == len(lives) == deals
        for number, life in enumerate(lives, start=1):
            assert [request["do"] for request in life[:3]] == STARTUP_REQUESTS
            assert {key: life[0][key] for key in ("game", "seat", "seats")} == {
                "game": "suit_pairs",
                "seat": seat,
                "seats": 2,
            }
            assert {request["shared"]["deal"] for request in life[3:]} == {number}


def test_new_process_receives_the_hand_of_the_new_deal() -> None:
    clock = FakeClock()
    players = [ScriptedPlayer(clock, then=first_legal) for _ in range(2)]
    play_deals(suit_pairs(), clock, *players)
    hands = [[life[2]["own"]["hand"] for life in requests_by_process(player)] for player in players]
    assert hands[0] == hands[1][::-1], "mirrored deals"
    assert hands[0][0] != hands[0][1]


@pytest.mark.parametrize("kind", STARTUP_REQUESTS)
@pytest.mark.parametrize("how", [CRASH, ENDS, ScriptedTurn(takes=11.0), ScriptedTurn(raw=b"x")])
@pytest.mark.parametrize("seat", [0, 1])
def test_failed_restart_costs_the_match_like_a_failed_start(kind: str, how: ScriptedTurn, seat: int) -> None:
    clock = FakeClock()
    failing = ScriptedPlayer(clock, then=first_legal, again=[{kind: how}])
    others = [ScriptedPlayer(clock, then=first_legal)]
    players = [failing, *others] if seat == 0 else [*others, failing]
    result = play_deals(suit_pairs(), clock, *players)
    assert (result.outcome.termination, result.outcome.winner) == (Termination.FORFEIT, 1 - seat)
    fault = result.diagnoses[seat]
    assert fault is not None
    assert fault.kind is FaultKind.START
    assert result.diagnoses[1 - seat] is None
    assert verify(result.record, GAMES) == []
    last = result.record.turns[-1]
    assert first_fault(result.record) == (last.number, seat) == (fault.turn, seat)
    assert [move.seat for move in last.moves] == [seat]
    assert all(move.fault is None for turn in result.record.turns[:-1] for move in turn.moves)
    assert failing.closed


def test_both_seats_may_fail_to_restart() -> None:
    clock = FakeClock()
    players = [ScriptedPlayer(clock, then=first_legal, again=[{"import": CRASH}]) for _ in range(2)]
    result = play_deals(suit_pairs(), clock, *players)
    assert result.outcome.ranks == (1, 1)
    assert [found.kind for found in result.diagnoses if found] == [FaultKind.START] * 2
    assert verify(result.record, GAMES) == []


def test_sandbox_that_cannot_restart_a_bot_is_an_arena_failure() -> None:
    clock = FakeClock()
    players = [ScriptedPlayer(clock, then=first_legal, breaks_again=seat == 1) for seat in range(2)]
    with pytest.raises(RefereeFailure) as failure:
        play_deals(suit_pairs(), clock, *players)
    assert failure.value.seat == 1
    assert all(player.closed for player in players)


def test_log_continues_after_a_restart_and_output_is_still_attributed_to_moves() -> None:
    clock = FakeClock()
    chatty = ScriptedPlayer(
        clock,
        start={"import": ScriptedTurn(prints=b"first")},
        then=lambda request: ScriptedTurn(request["own"]["legal"][0], prints=b"deal %d\n" % request["shared"]["deal"]),
        again=[{"import": ScriptedTurn(prints=b"second"), "construct": CRASH}],
    )
    result = play_deals(suit_pairs(), clock, chatty, ScriptedPlayer(clock, then=first_legal))
    fault = result.diagnoses[0]
    assert fault is not None
    log = result.logs[0]
    assert log.startswith(b"firstdeal 1\n")
    assert log.endswith(b"deal 1\n--- new process: 2 ---\nsecond")
    assert "deal" not in output_between(log, fault.moment.printed.begin, fault.moment.printed.end)
    spans = result.printed[0]
    assert {log[begin:end] for _, begin, end in spans[:-1]} == {b"deal 1\n"}
    turn, begin, end = spans[-1]
    assert (turn, log[begin:end]) == (len(result.record.turns), b"second")
    assert result.printed[1] == ()


def test_restart_has_its_own_time_limit_and_uses_no_clock_time() -> None:
    """Starts of 6 s each do not count against a match clock of 5 s for all moves."""
    clock = FakeClock()
    slow = {"import": ScriptedTurn(takes=6.0)}
    bot = ScriptedPlayer(clock, then=first_legal, start=slow, again=[slow] * 3)
    spec = suit_pairs(2)
    seats = (SeatSpec("bot", "", SeatClock(5.0, 5.0)), spec.seats[1])
    timed = MatchSpec(spec.game, spec.settings, spec.seed, spec.limits, seats)
    result = play_deals(timed, clock, bot, ScriptedPlayer(clock, then=first_legal))
    assert result.diagnoses == (None, None)
    assert clock.now() >= 24.0


def test_used_clock_time_remains_used_after_a_restart() -> None:
    clock = FakeClock()
    bot = ScriptedPlayer(clock, then=lambda request: ScriptedTurn(request["own"]["legal"][0], takes=1.0))
    spec = suit_pairs(2)
    seats = (SeatSpec("bot", "", SeatClock(40.0, 5.0)), spec.seats[1])
    timed = MatchSpec(spec.game, spec.settings, spec.seed, spec.limits, seats)
    result = play_deals(timed, clock, bot, ScriptedPlayer(clock, then=first_legal))
    assert result.diagnoses[0] is not None
    assert result.diagnoses[0].kind is FaultKind.TIMEOUT
    assert sum(move.seconds for turn in result.record.turns for move in turn.moves if not move.fault) == 40.0


def test_illegal_answers_are_rejected_the_same_way_in_every_deal() -> None:
    clock = FakeClock()
    tries: dict[Any, int] = {}

    def stubborn(request: Json) -> ScriptedTurn:
        """Give two illegal answers at the start of every deal."""
        deal = request["shared"]["deal"]
        tries[deal] = tries.get(deal, 0) + 1
        return ScriptedTurn(-1 if tries[deal] <= 2 else request["own"]["legal"][0])

    players = [ScriptedPlayer(clock, then=stubborn), ScriptedPlayer(clock, then=first_legal)]
    result = play_deals(suit_pairs(), clock, *players)
    assert result.diagnoses == (None, None)
    assert len(result.rejected[0]) == 4


def test_person_is_not_restarted() -> None:
    clock = FakeClock()
    spec = suit_pairs()
    record = play_deals(spec, clock, *(ScriptedPlayer(clock, then=first_legal) for _ in range(2))).record
    answers = [(move.move, 1.0) for turn in record.turns for move in turn.moves if move.seat == 0]
    inbox = ScriptedInbox(clock, answers)
    result = play_deals(spec, clock, ScriptedPerson(inbox), ScriptedPlayer(clock, then=first_legal))
    assert (
        result.outcome == play_deals(spec, clock, *(ScriptedPlayer(clock, then=first_legal) for _ in range(2))).outcome
    )
    assert (inbox.opened, inbox.closed) == (len(answers), 1)


def test_match_resumed_by_another_worker_starts_bots_for_the_remaining_deals() -> None:
    clock = FakeClock()
    spec = suit_pairs(2)
    events: list[Any] = []
    players = [ScriptedPlayer(clock, then=first_legal) for _ in range(2)]
    whole = play_match(spec, players, clock, events.append, lambda: False, thinking=1)
    turns = [event.moves for event in events if hasattr(event, "moves")]
    for played in (turns[: len(turns) // 2], turns[:-1]):
        again = [ScriptedPlayer(clock, then=first_legal) for _ in range(2)]
        result = play_match(spec, again, clock, lambda event: None, lambda: False, thinking=1, played=played)
        assert result.outcome == whole.outcome
        deals = {request["shared"]["deal"] for player in again for request in player.requests if "shared" in request}
        assert again[0].starts == 4 - min(deals) + 1


def test_rehearsal_requests_only_moves_of_the_current_deal() -> None:
    clock = FakeClock()
    record = play_deals(suit_pairs(2), clock, *(ScriptedPlayer(clock, then=first_legal) for _ in range(2))).record
    turn = next(turn.number for turn in reversed(record.turns) if turn.moves[0].seat == 0)
    position = position_at(record, turn, 0)
    player = ScriptedPlayer(clock, then=first_legal)
    done = rehearse(position, GAMES, player, clock, position.match_limits(), lambda: False)
    deals = [request["shared"]["deal"] for request in player.requests if request["do"] == "move"]
    assert set(deals) == {4}
    assert (done.repeated, done.differed, done.move) == (len(deals) - 1, 0, record.turns[turn - 1].moves[0].move)
    assert player.starts == 1


def test_rehearsal_of_a_failed_restart_fails_again() -> None:
    clock = FakeClock()
    failing = ScriptedPlayer(clock, then=first_legal, again=[{"import": CRASH}])
    result = play_deals(suit_pairs(), clock, failing, ScriptedPlayer(clock, then=first_legal))
    fault = result.diagnoses[0]
    assert fault is not None
    position = position_at(result.record, fault.turn, 0)
    again = ScriptedPlayer(clock, then=first_legal, start={"import": CRASH})
    done = rehearse(position, GAMES, again, clock, position.match_limits(), lambda: False)
    assert done.diagnosis is not None
    assert (done.diagnosis.kind, done.diagnosis.turn, done.repeated) == (FaultKind.START, fault.turn, 0)
