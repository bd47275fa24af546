"""Matches between real bots in a real jail."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from arena.core.referee.clock import SystemClock
from arena.core.referee.faults import RefereeFailure
from arena.core.referee.jailed_player import JailedPlayer
from arena.core.referee.play import MatchResult, play_match
from arena.core.referee.spec import MatchSpec
from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.supervision.forkserver import ForkServer

ROOT = Path(__file__).resolve().parents[3]
LIBRARIES = ROOT / "build" / "bot-libraries"
FIRST = """
class AIPlayer:
    def __init__(self, color):
        self.color = color
    def get_move(self, board):
        return next(board.get_legal_actions(self.color))
"""

ATTEMPTS = 3
MakeBot = Callable[[str], Path]


def bots_in(tmp_path: Path) -> MakeBot:
    count = 0

    def make(main: str) -> Path:
        nonlocal count
        count += 1
        folder = tmp_path / str(count)
        folder.mkdir()
        (folder / "main.py").write_text(main, encoding="utf-8")
        return folder

    return make


def play_in_jail(
    server: ForkServer, spec: MatchSpec, *folders: Path, stop: Callable[[], bool] = lambda: False
) -> MatchResult:
    """Play a match; like the site's workers, play it again if the machine was too busy to time a bot fairly."""
    limits = JailLimits(memory_mb=spec.limits.memory_mb, log_bytes=20_000)

    def attempt() -> MatchResult:
        players = [JailedPlayer(server, folder, limits) for folder in folders]
        return play_match(spec, players, SystemClock(), lambda event: None, stop)

    for _again in range(ATTEMPTS - 1):
        try:
            return attempt()
        except RefereeFailure as failure:
            if "too busy" not in str(failure):
                raise
    return attempt()
