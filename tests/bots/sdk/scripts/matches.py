"""Play whole matches with a script in this process, under the referee's rules."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from arena.core.referee.clock import SystemClock
from arena.core.referee.in_process_player import InProcessPlayer
from arena.core.referee.play import MatchResult, play_match
from arena.core.referee.spec import MatchLimits, MatchSpec, SeatSpec
from arena.games.base import Json
from arena.games.registry import GAMES
from tests.bots.conversation import Conversation
from tests.bots.sdk.scripts.waiting import waiting_session

RANDOM = """
import random
class AIPlayer:
    def __init__(self, color):
        self.color, self.random = color, random.Random(5)
    def get_move(self, board):
        return self.random.choice(list(board.get_legal_actions(self.color)))
"""


def reversi(folder: Path, script: str, seat: int = 0, opening: str = "", **files: str) -> MatchResult:
    """Play a Reversi match between the script, in this seat, and a random player."""
    return _match(folder, "reversi", script, {"opening": opening}, seat, RANDOM, 2, files)


def golden(folder: Path, script: str, numbers: int = 2, rounds: int = 5, **files: str) -> MatchResult:
    """Play a golden-point match between the script and two players that always play the same numbers."""
    other = f"def get_move(state): return {(20.5, 7)[:numbers]}[:{numbers}]"
    return _match(folder, "golden_point", script, {"numbers": numbers, "rounds": rounds}, 0, other, 3, files)


def _match(
    folder: Path,
    game: str,
    script: str,
    settings: dict[str, Json],
    seat: int,
    other: str,
    seats: int,
    files: dict[str, str],
) -> MatchResult:
    spec = MatchSpec(GAMES[game], settings, 1, MatchLimits(), tuple(SeatSpec(f"{one}", "") for one in range(seats)))
    with contextlib.ExitStack() as stack:
        players: list[Any] = []
        for place in range(seats):
            own = folder / str(place)
            own.mkdir()
            if place == seat:
                players.append(InProcessPlayer(partial(_script_handler, stack, own, script, files), own))
            else:
                players.append(InProcessPlayer(partial(_plain, own, game, other), own))
        return play_match(spec, players, SystemClock(), lambda event: None, lambda: False)


def _script_handler(
    stack: contextlib.ExitStack, folder: Path, script: str, files: dict[str, str]
) -> Callable[[bytes], bytes]:
    return stack.enter_context(waiting_session(folder, script, **files)).handle


def _plain(folder: Path, game: str, main: str) -> Callable[[bytes], bytes]:
    return Conversation(folder, game, main=main).session.handle
