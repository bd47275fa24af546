"""Matches for the referee's tests: short specs and scripted bots that know the rules."""

from __future__ import annotations

from arena.core.referee.clock import FakeClock
from arena.core.referee.events import MatchEvent
from arena.core.referee.play import MatchResult, play_match
from arena.core.referee.players import Player
from arena.core.referee.record import Record
from arena.core.referee.spec import MatchLimits, MatchSpec, SeatSpec
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.games.base import Json
from arena.games.registry import GAMES
from arena.games.reversi.rules import SQUARES, legal_squares


def reversi_spec(**limits: float) -> MatchSpec:
    return MatchSpec(GAMES["reversi"], {}, 1, _limits(limits), _seats(2))


def golden_spec(seats: int = 3, rounds: int = 4, numbers: int = 2, **limits: float) -> MatchSpec:
    settings = {"numbers": numbers, "rounds": rounds}
    return MatchSpec(GAMES["golden_point"], settings, 1, _limits(limits), _seats(seats))


def _limits(changed: dict[str, float]) -> MatchLimits:
    return MatchLimits(**changed)  # type: ignore[arg-type]


def _seats(count: int) -> tuple[SeatSpec, ...]:
    return tuple(SeatSpec(f"bot {seat}", f"{seat:064}") for seat in range(count))


def first_legal(request: Json) -> ScriptedTurn:
    """Play Reversi from the request alone: always take the first legal square."""
    board, color = request["shared"]["board"], request["own"]["color"]
    own = sum(1 << index for index, cell in enumerate(board) if cell == color)
    other = sum(1 << index for index, cell in enumerate(board) if cell not in (color, "."))
    legal = legal_squares(own, other)
    return ScriptedTurn(next(name for index, name in enumerate(SQUARES) if legal >> index & 1))


def play_to_end(
    spec: MatchSpec, players: list[ScriptedPlayer], clock: FakeClock, stop_at: float | None = None
) -> tuple[MatchResult, list[MatchEvent]]:
    """Play a match to its end or until ``stop_at``; return the result, and the events in the order reported."""
    events: list[MatchEvent] = []
    table: list[Player] = list(players)
    result = play_match(
        spec, table, clock, events.append, lambda: stop_at is not None and clock.now() >= stop_at, thinking=1
    )
    return result, events


def reversi_record() -> Record:
    """Return the record of a complete match in which black's first answer was rejected."""
    clock = FakeClock()
    players = [
        ScriptedPlayer(clock, [ScriptedTurn("A1"), ScriptedTurn("c4", takes=1.25)], then=first_legal),
        ScriptedPlayer(clock, then=first_legal),
    ]
    return play_to_end(reversi_spec(), players, clock)[0].record


def golden_record() -> Record:
    """Return the record of a three-round match in which the third seat commits a fault in the second round."""
    clock = FakeClock()
    players = [ScriptedPlayer(clock, then=lambda _: ScriptedTurn([20, 30.5])) for _ in range(2)]
    players.append(ScriptedPlayer(clock, [ScriptedTurn([1, 2]), ScriptedTurn(raw=b"x")]))
    return play_to_end(golden_spec(rounds=3), players, clock)[0].record
