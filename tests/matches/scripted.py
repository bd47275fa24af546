"""Matches for tests: queued, or played by scripted bots without processes and with a fake clock."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from arena.core.referee.clock import FakeClock
from arena.core.referee.players import Player
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.matches import playing
from arena.matches.models import Match
from arena.matches.playing import ClaimedMatch

# The shortest possible match: black captures every disc with its fifth move.
BLACK, WHITE = ["E6", "E3", "G5", "E7", "C5"], ["F4", "F6", "D6", "F5"]


def scripted_seating(clock: FakeClock, *scripts: Sequence[ScriptedTurn], breaks: bool = False) -> playing.Seating:
    def seating(job: ClaimedMatch, stack: ExitStack) -> list[Player]:
        return [ScriptedPlayer(clock, script, breaks=breaks, printed=b"thinking\n") for script in scripts]

    return seating


def play(match: Match, black: Sequence[ScriptedTurn], white: Sequence[ScriptedTurn], *, breaks: bool = False) -> bool:
    clock = FakeClock()
    return playing.play(match.pk, worker="w", seating=scripted_seating(clock, black, white, breaks=breaks), clock=clock)


def answers(moves: Sequence[str]) -> list[ScriptedTurn]:
    return [ScriptedTurn(answer=move, takes=0.5) for move in moves]
