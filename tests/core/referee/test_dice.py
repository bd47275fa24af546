"""Matches with one seat, chance after the start, hidden dice, consecutive decisions and simultaneous moves."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.core.referee.check import Check
from arena.core.referee.check_report import CheckReport
from arena.core.referee.clock import FakeClock
from arena.core.referee.events import MatchEvent, MatchStarted, TurnPlayed
from arena.core.referee.faults import FaultKind
from arena.core.referee.play import MAX_EXPLAINED_REJECTIONS, MatchResult
from arena.core.referee.position import Position, position_at
from arena.core.referee.record import dump, load
from arena.core.referee.rehearsal import rehearse
from arena.core.referee.replay import Replay, verify, visible_turns
from arena.core.referee.spec import MatchLimits, MatchSpec, SeatSpec
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.games.base import AnyGame, Audience, IllegalMove, Json, Termination, Viewer
from tests.core.referee.dice import DICE, FACES, HALVES, Dice, DiceSettings, DiceState
from tests.core.referee.matches import play_to_end

GAMES = {"dice": DICE}


def spec(seats: int, game: AnyGame = DICE, **settings: int) -> MatchSpec:
    return MatchSpec(game, settings, 1, MatchLimits(), tuple(SeatSpec(f"bot {seat}", "") for seat in range(seats)))


def bet_half(request: Json) -> ScriptedTurn:
    """Bet half of the die's value each time, rounded up, so that the gain is 0 or -1."""
    return ScriptedTurn((request["own"]["face"] + 1) // 2)


def play_dice(of: MatchSpec, *scripts: Any) -> tuple[MatchResult, list[MatchEvent], list[ScriptedPlayer]]:
    clock = FakeClock()
    players = [ScriptedPlayer(clock, then=script) for script in scripts or [bet_half] * len(of.seats)]
    result, events = play_to_end(of, players, clock)
    return result, events, players


def requests_sent(events: list[MatchEvent]) -> list[list[int]]:
    return [[move.seat for move in event.moves] for event in events if isinstance(event, TurnPlayed)]


@pytest.mark.parametrize("at_once", [0, 1])
@pytest.mark.parametrize("seats", [1, 2, 3])
def test_match_is_played_recorded_and_verified(seats: int, at_once: int) -> None:
    result, events, _ = play_dice(spec(seats, at_once=at_once, rounds=4))
    assert result.outcome.termination is Termination.COMPLETED
    assert result.outcome.points == result.outcome.margins
    assert all(-4 <= points <= 0 for points in result.outcome.points)
    assert verify(load(dump(result.record)), GAMES) == []
    turns = 4 * HALVES * (1 if at_once else seats)
    assert len(requests_sent(events)) == turns
    if not at_once:
        assert requests_sent(events)[:4] == [[0], [0], [min(1, seats - 1)], [min(1, seats - 1)]]


def test_single_seat_has_no_winner_and_may_score_below_zero() -> None:
    result, _, _ = play_dice(spec(1), lambda request: ScriptedTurn(request["own"]["face"]))
    assert result.outcome.points[0] < 0
    assert (result.outcome.ranks, result.outcome.winner) == ((1,), None)


def test_chance_after_the_start_depends_only_on_the_seed() -> None:
    first, second = play_dice(spec(2))[0].record, play_dice(spec(2))[0].record
    assert first.turns == second.turns
    other = play_dice(replace(spec(2), seed=2))[0].record
    assert other.turns != first.turns


@pytest.mark.parametrize("at_once", [0, 1])
def test_faulting_seat_keeps_its_score_and_the_others_continue(at_once: int) -> None:
    def crash_midway(request: Json) -> ScriptedTurn:
        return (
            bet_half(request)
            if len(request["own"]["laid"]) < 3
            else ScriptedTurn(failed={"cause": "exit", "message": "bye"})
        )

    result, _, _ = play_dice(spec(3, at_once=at_once), bet_half, crash_midway, bet_half)
    assert [bool(found) for found in result.diagnoses] == [False, True, False]
    assert result.outcome.ranks[1] == 3
    assert verify(result.record, GAMES) == []


def test_fault_of_a_single_seat_is_a_forfeit() -> None:
    clock = FakeClock()
    broken = ScriptedPlayer(clock, start={"import": ScriptedTurn(failed={"cause": "exception", "message": "no"})})
    result, _ = play_to_end(spec(1), [broken], clock)
    assert result.outcome.termination is Termination.FORFEIT
    assert result.diagnoses[0] is not None
    assert result.diagnoses[0].kind is FaultKind.START
    assert verify(result.record, GAMES) == []


def test_second_of_two_consecutive_decisions_can_be_rehearsed() -> None:
    result, _, _ = play_dice(spec(2))
    position = position_at(result.record, 6, 0)  # its second decision in the second round
    again = Position.from_json(json.loads(json.dumps(position.to_json())), GAMES)
    clock = FakeClock()
    player = ScriptedPlayer(clock, then=bet_half)
    done = rehearse(again, GAMES, player, clock, again.match_limits(), lambda: False)
    assert (done.repeated, done.differed, done.diagnosis) == (3, 0, None)
    assert done.move == result.record.turns[5].moves[0].move


def test_bot_that_plays_alone_is_checked() -> None:
    clock = FakeClock()
    made: list[ScriptedPlayer] = []

    def seat(_: Path) -> ScriptedPlayer:
        made.append(ScriptedPlayer(clock, then=bet_half))
        return made[-1]

    report: CheckReport = Check(seat, DICE, MatchLimits(), clock, lambda step: None).run(Path("bot"), Path("house"))
    assert report.passed
    assert len(made) == 2, "the start alone, and the match: there is no opponent"


class WideGame(Dice):
    """A game whose observations contain 384 numbers and 58 flags, and whose answers are lists of 384 numbers."""

    def own(self, state: DiceState, seat: int) -> Json:
        return {"vector": [index / 7 for index in range(384)], "mask": [index % 2 == 0 for index in range(58)]}

    def parse(self, state: DiceState, seat: int, answer: Json) -> int:
        if not isinstance(answer, list) or len(answer) != 384:
            raise IllegalMove("384 numbers are expected")
        return round(sum(answer))


def test_observations_and_answers_may_contain_hundreds_of_values() -> None:
    result, _, players = play_dice(spec(2, WideGame()), *[lambda request: ScriptedTurn(request["own"]["vector"])] * 2)
    assert result.diagnoses == (None, None)
    request = next(request for request in players[0].requests if request["do"] == "move")
    assert (len(request["own"]["vector"]), len(request["own"]["mask"])) == (384, 58)
    assert result.record.turns[0].moves[0].move == round(sum(index / 7 for index in range(384)))


@pytest.mark.long
def test_refusals_beyond_a_thousand_are_counted_but_not_explained() -> None:
    answers = itertools.cycle(["x", "y", 1])
    result, _, _ = play_dice(spec(1, rounds=300), lambda _: ScriptedTurn(next(answers)))
    assert sum(move.refused for turn in result.record.turns for move in turn.moves) == 1_200
    assert [found.turn for found in result.rejected[0]] == [turn for turn in range(1, 501) for _ in range(2)]
    assert len(result.rejected[0]) == MAX_EXPLAINED_REJECTIONS


# --- hidden information ---------------------------------------------------------------------------


class DealWithOtherLuck(Dice):
    """A game that deals seat 0 the same dice as ``Dice`` does, but seat 1 different dice."""

    def initial(self, settings: DiceSettings, seats: int, rng: Random) -> DiceState:
        state = super().initial(settings, seats, rng)
        return replace(state, luck=(state.luck[0], state.luck[1] + 1, *state.luck[2:]))


def visible_to_seat(events: list[MatchEvent], viewer: Viewer) -> bytes:
    return json.dumps([one.to_json(viewer) for one in events if isinstance(one, MatchStarted | TurnPlayed)]).encode()


@pytest.mark.parametrize("at_once", [0, 1])
def test_deals_that_differ_only_in_hidden_values_look_the_same(at_once: int) -> None:
    """If only seat 1's dice and answers differ, everybody else receives exactly the same bytes in every format."""
    of = spec(2, at_once=at_once, rounds=5)
    (one, events, players), (other, other_events, other_players) = (
        play_dice(of),
        play_dice(replace(of, game=DealWithOtherLuck())),
    )
    assert one.record.turns != other.record.turns
    for viewer in (Audience.PUBLIC, 0):
        assert visible_to_seat(events, viewer) == visible_to_seat(other_events, viewer)
        assert turns_visible_to(one, DICE, viewer) == turns_visible_to(other, DealWithOtherLuck(), viewer)
    for viewer in (Audience.EVERYBODY, 1):
        assert visible_to_seat(events, viewer) != visible_to_seat(other_events, viewer)
    assert requests(players[0]) == requests(other_players[0])
    assert requests(players[1]) != requests(other_players[1])


def test_public_view_shows_no_dice_and_no_bets_by_default() -> None:
    result, events, _ = play_dice(spec(2))
    text = json.dumps([one.to_json() for one in events if isinstance(one, MatchStarted | TurnPlayed)])
    assert not any(str(move.move) in text for turn in result.record.turns for move in turn.moves)
    assert not any(word.isdigit() and int(word) in FACES for word in text.replace(",", " ").replace("]", " ").split())


def turns_visible_to(result: MatchResult, game: AnyGame, viewer: Viewer) -> list[Json]:
    record = result.record
    turns = visible_turns(Replay.from_record(record, {"dice": game}), record.turns, viewer)
    return [{**turn, "moves": [(move["seat"], move["move"]) for move in turn["moves"]]} for turn in turns]


def requests(player: ScriptedPlayer) -> list[Json]:
    """Return the requests that the player received, without their nonces."""
    return [{name: value for name, value in one.items() if name != "nonce"} for one in player.requests]
