"""A human player has a clock for the whole match, and a match resumes after its worker has died."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from arena.core.referee.clock import FakeClock
from arena.core.referee.events import MatchEvent, MatchFinished, MatchStarted, SeatMove, TurnPlayed
from arena.core.referee.faults import FaultKind
from arena.core.referee.play import MatchResult, play_match
from arena.core.referee.replay import verify
from arena.core.referee.spec import MatchSpec, SeatClock, SeatSpec
from arena.core.referee.testing import ScriptedInbox, ScriptedPerson, ScriptedPlayer, ScriptedTurn
from arena.games.base import Json, Termination
from arena.games.registry import GAMES
from tests.core.referee.matches import first_legal, reversi_spec

# The shortest possible match: black captures every disc with its fifth move.
BLACK, WHITE = ["E6", "E3", "G5", "E7", "C5"], ["F4", "F6", "D6", "F5"]

Played = tuple[tuple[SeatMove, ...], ...]


def spec(match_seconds: float = 60, turn_seconds: float = 60) -> MatchSpec:
    person = SeatSpec("ann", "", SeatClock(match_seconds, turn_seconds))
    return replace(reversi_spec(move_seconds=1), seats=(person, SeatSpec("bot", "0" * 64)))


class PersonMatch:
    """A match between a person, who plays black, and a scripted bot."""

    def __init__(self, answers: Iterable[tuple[Json, float]], bot: Iterable[str] = WHITE) -> None:
        self.clock = FakeClock()
        self.inbox = ScriptedInbox(self.clock, answers)
        self.bot = ScriptedPlayer(self.clock, [ScriptedTurn(move, takes=0.5) for move in bot], then=first_legal)
        self.events: list[MatchEvent] = []

    def play(self, match: MatchSpec, played: Played = ()) -> MatchResult:
        players = [ScriptedPerson(self.inbox), self.bot]
        return play_match(match, players, self.clock, self.events.append, lambda: False, thinking=1, played=played)

    def turns(self) -> list[TurnPlayed]:
        return [event for event in self.events if isinstance(event, TurnPlayed)]


def test_person_plays_like_a_bot_and_may_think_longer() -> None:
    table = PersonMatch((move, 5.0) for move in BLACK)
    result = table.play(spec())
    assert result.outcome.ranks == (1, 2)
    assert verify(result.record, GAMES) == []
    assert table.inbox.opened == 5, "asked for moves alone"
    assert table.inbox.closed
    mine = [move for turn in table.turns() for move in turn.moves if move.seat == 0]
    assert [move.seconds for move in mine] == [pytest.approx(5.0)] * 5
    assert [move.cpu_seconds for move in mine] == [0.0] * 5


def test_clock_covers_all_turns() -> None:
    table = PersonMatch((move, 5.0) for move in BLACK)
    result = table.play(spec(match_seconds=18))
    found = result.diagnoses[0]
    assert found is not None
    assert (found.kind, found.turn) == (FaultKind.TIMEOUT, 7), "the fourth move begins with three seconds left"
    assert result.outcome.termination is Termination.FORFEIT
    assert table.turns()[-1].moves[0].seconds == pytest.approx(3.0, abs=0.01)


def test_silence_ends_a_match_long_before_its_clock_runs_out() -> None:
    table = PersonMatch([("E6", 1.0)])
    result = table.play(spec(match_seconds=3600, turn_seconds=600))
    assert result.outcome.winner == 1
    assert table.clock.now() == pytest.approx(601.5, abs=0.1)


def test_person_may_resign() -> None:
    result = PersonMatch([("Q", 1.0)]).play(spec())
    assert (result.outcome.termination, result.outcome.winner) == (Termination.RESIGNATION, 1)


def test_illegal_answer_is_retried_on_the_same_clock() -> None:
    table = PersonMatch([("A1", 2.0), *((move, 3.0) for move in BLACK)])
    result = table.play(spec())
    assert result.outcome.winner == 0
    assert table.turns()[0].moves[0].seconds == pytest.approx(5.0)
    assert len(table.turns()[0].moves[0].rejected) == 1


def moves_of(table: PersonMatch, count: int) -> Played:
    """Return the moves of the first ``count`` turns, as read back from storage."""
    turns = table.turns()[:count]
    return tuple(tuple(SeatMove.from_json(move.to_json()) for move in turn.moves) for turn in turns)


@pytest.mark.parametrize("count", [0, 1, 4, 8, 9])
def test_match_resumes_after_its_worker_died(count: int) -> None:
    first = PersonMatch((move, 5.0) for move in BLACK)
    whole = first.play(spec())
    begun = moves_of(first, count)
    again = PersonMatch(((move, 5.0) for move in BLACK[(count + 1) // 2 :]), WHITE[count // 2 :])
    result = again.play(spec(), begun)
    assert [type(event) for event in again.events] == [MatchStarted, *[TurnPlayed] * 9, MatchFinished]
    assert [turn.to_json() for turn in again.turns()] == [turn.to_json() for turn in first.turns()]
    assert result.record == whole.record
    assert again.inbox.opened == 5 - (count + 1) // 2, "nobody is asked for what was played"


def test_clock_resumes_with_the_remaining_time() -> None:
    first = PersonMatch((move, 5.0) for move in BLACK)
    first.play(spec())
    again = PersonMatch([("G5", 8.0)], WHITE[2:])
    result = again.play(spec(match_seconds=17), moves_of(first, 4))
    assert result.diagnoses[0] is not None, "ten seconds were used before"
    assert again.clock.now() == pytest.approx(7.0, abs=0.01)


def test_seat_that_left_before_is_not_asked_again() -> None:
    table = PersonMatch([])
    result = table.play(spec(), ((SeatMove(0, None, fault=FaultKind.CRASH),),))
    assert (result.outcome.termination, result.outcome.winner) == (Termination.FORFEIT, 1)
    assert table.inbox.opened == 0
    assert verify(result.record, GAMES) == []


@pytest.mark.parametrize("played", [((SeatMove(0, "A1"),),), ((SeatMove(1, "F4"),),)])
def test_impossible_turns_are_refused(played: Played) -> None:
    with pytest.raises(ValueError, match=r"legal|cannot have been"):
        PersonMatch([]).play(spec(), played)
