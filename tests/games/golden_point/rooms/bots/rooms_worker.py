"""A worker that runs scripted bots in rooms, and a clock for the worker and the rooms."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

from arena.core.referee.clock import FakeClock
from arena.core.referee.players import Player
from arena.core.referee.spec import MatchLimits
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.games.golden_point.rooms.bots import seating
from arena.games.golden_point.rooms.bots.hosting import Host, HostEnvironment
from arena.games.golden_point.rooms.models import BotSeat
from arena.submissions.models import Bot
from tests import factories
from tests.games.golden_point.rooms.program import NOON, Clock, Program

Then = Callable[[Any], ScriptedTurn]


class RoomsClock(Clock):
    """A clock for rooms that advances while the worker waits."""

    def __init__(self) -> None:
        super().__init__()
        self.fake = FakeClock()
        self.ahead = timedelta(0)

    def __call__(self) -> Any:
        return NOON + timedelta(seconds=self.fake.time) + self.ahead

    def advance(self, seconds: float) -> None:
        """Let time pass while no worker is running."""
        self.ahead += timedelta(seconds=seconds)


class RoomsWorker:
    """A worker that runs scripted bots; ``scripts`` maps a submission's hash to a factory for its players."""

    def __init__(self, clock: RoomsClock) -> None:
        self.clock = clock
        self.scripts: dict[str, Callable[[], ScriptedPlayer]] = {}
        self.started: list[ScriptedPlayer] = []
        self.stopping = False
        self.host = self.create_host()

    def create_host(self, name: str = "host:1:2") -> Host:
        return Host(
            HostEnvironment(
                worker=name,
                players=self._player,
                clock=self.clock.fake,
                now=self.clock,
                stopping=lambda: self.stopping,
                thinking=4,
            )
        )

    def bot(self, then: Then, *, start: dict[str, ScriptedTurn] | None = None, breaks: bool = False) -> Bot:
        """Create a bot that is played by a ``ScriptedPlayer`` with these arguments."""
        made = factories.bot(game=seating.GAME)
        assert made.active is not None
        made.active.sha256 = f"{made.pk:064}"
        made.active.save()
        self.scripts[made.active.sha256] = lambda: ScriptedPlayer(
            self.clock.fake, then=then, start=start, breaks=breaks
        )
        return made

    def seat(self, room: int, bot: Bot) -> BotSeat:
        pk = seating.seat_bot(room, bot.pk, bot.owner, now=self.clock())
        return BotSeat.objects.get(pk=pk)

    def run(self, seconds: float, program: Program | None = None) -> None:
        """Run the worker for ``seconds`` of its clock; with ``program``, also close due rounds."""
        end = self.clock.fake.time + seconds
        while self.clock.fake.time < end:
            self.host.run_once()
            if program is not None:
                program.refresh()

    def _player(self, sha256: str, limits: MatchLimits, stack: ExitStack) -> Player:
        made = self.scripts[sha256]()
        self.started.append(made)
        return made
