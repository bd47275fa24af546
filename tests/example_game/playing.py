"""Matches of Lanterns without a site, played by scripted bots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from arena.core.referee.clock import FakeClock
from arena.core.referee.events import MatchEvent
from arena.core.referee.play import MatchResult
from arena.core.referee.spec import MatchLimits, MatchSpec, SeatSpec
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.games.base import AnyGame, Json
from tests.core.referee.matches import play_to_end
from tests.example_game.lanterns.arena.rules import GAME

GAMES: Final = {GAME.name: GAME}
Script = Callable[[Json], ScriptedTurn]


def match_spec(seats: int, game: AnyGame = GAME, seed: int = 1, **settings: int) -> MatchSpec:
    return MatchSpec(game, settings, seed, MatchLimits(), tuple(SeatSpec(f"bot {seat}", "") for seat in range(seats)))


def play_lowest(request: Json) -> ScriptedTurn:
    """Lay the lowest candle from the hand."""
    return ScriptedTurn(request["own"]["hand"][0])


def play_highest(request: Json) -> ScriptedTurn:
    """Lay the highest candle from the hand."""
    return ScriptedTurn(request["own"]["hand"][-1])


def play_bots(of: MatchSpec, *scripts: Script) -> tuple[MatchResult, list[MatchEvent], list[ScriptedPlayer]]:
    clock = FakeClock()
    players = [ScriptedPlayer(clock, then=script) for script in scripts or [play_lowest] * len(of.seats)]
    result, events = play_to_end(of, players, clock)
    return result, events, players
