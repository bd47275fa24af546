"""Fixtures for the benchmark: bots in jails, interpreters or this process, and a fork server like a worker's."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from arena.core.referee import protocol
from arena.core.referee.clock import SystemClock
from arena.core.referee.conversation import SeatAnswered
from arena.core.referee.in_process_player import InProcessPlayer
from arena.core.referee.jailed_player import JailedPlayer
from arena.core.referee.players import Player
from arena.core.referee.protocol import Request
from arena.core.referee.seat import RefereedSeat, ask_alone
from arena.core.referee.spec import MatchLimits
from arena.core.referee.subprocess_player import SubprocessPlayer
from arena.core.sandbox.config import SandboxConfig
from arena.core.sandbox.jail.limits import JailLimits
from arena.core.sandbox.supervision.forkserver import ForkServer
from arena.games.bot_packages import harness_argument, sdk_packages
from arena.games.registry import GAMES
from bench.games import Workload
from bench.measure import Sample
from bots.sdk.harness import Session

BUBBLEWRAP = shutil.which("bwrap") or ""
ROOT = Path(__file__).resolve().parents[1]
LIBRARIES = ROOT / "build" / "bot-libraries"
HARNESS = ROOT / "bots" / "sdk" / "harness.py"
# The bubblewrap configuration closest to the arena's jail; /tmp and its contents are mounted on top.
_BUBBLEWRAP = ("--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--tmpfs", "/tmp")


def with_delay(source: str, seconds: float) -> str:
    """Return the source of a bot that sleeps for this many seconds before each answer."""
    slow = f"def get_move(given):\n    time.sleep({seconds})\n    return quick(given)\n"
    return f"{source}\nimport time\nquick = get_move\n{slow}"


def create_bot_folder(name: str, source: str) -> Path:
    """Create a folder with this ``main.py`` inside the temporary folder of this benchmark."""
    folder = Path(os.environ["TMPDIR"]) / name
    folder.mkdir(exist_ok=True)
    (folder / "main.py").write_text(source, encoding="utf-8")
    return folder


@contextmanager
def running_fork_server() -> Iterator[ForkServer]:
    libraries = (LIBRARIES,) if LIBRARIES.is_dir() else ()
    with ForkServer(SandboxConfig(libraries=libraries, harness=ROOT, packages=sdk_packages())) as started:
        yield started


def jailed_player(server: ForkServer, folder: Path, core: int | None = None) -> JailedPlayer:
    return JailedPlayer(server, folder, JailLimits(), core)


def interpreter_player(folder: Path) -> SubprocessPlayer:
    """Return a player that runs the bot in its own interpreter without isolation, as most arenas do."""
    os.environ["PYTHONPATH"] = str(LIBRARIES)  # for the bot's process, which runs without site-packages
    return SubprocessPlayer([sys.executable, "-B", "-S", str(HARNESS), *_harness_arguments()], folder)


def in_process_player(folder: Path) -> InProcessPlayer:
    """Return a player that runs the bot in this process, without isolation."""
    for name in sdk_packages():
        import_module(name)
    return InProcessPlayer(lambda: Session(str(folder)).handle)


def bubblewrap_player(folder: Path) -> SubprocessPlayer:
    """Return a player that runs the bot under this process's interpreter in a bubblewrap jail; requires bubblewrap."""
    os.environ["PYTHONPATH"] = str(LIBRARIES)
    mounts = [word for path in (ROOT, folder) for word in ("--ro-bind", str(path), str(path))]
    jail = [BUBBLEWRAP, *_BUBBLEWRAP, *mounts]
    return SubprocessPlayer([*jail, sys.executable, "-B", "-S", str(HARNESS), *_harness_arguments()], folder)


def _harness_arguments() -> list[str]:
    return [harness_argument(game) for game in GAMES]


def first_available_core() -> int:
    return min(os.sched_getaffinity(0))


class BotConversation:
    """One bot and the referee's end of the channel, outside of any match."""

    def __init__(self, player: Player, match: Workload) -> None:
        self._match, self._game = match, match.rules
        self.seat = RefereedSeat(player, self._game)
        self._clock, self._limits = SystemClock(), MatchLimits()

    def load(self) -> None:
        """Start the process, let it compile the bot, and wait until it is ready for requests."""
        self.seat.player.start()
        settings = self._game.settings_json(self._game.settings(self._match.settings))
        self.ask(protocol.load_request(0, self._match.seats, self._game.name, settings, 10, 60))

    def construct(self) -> None:
        self.ask(protocol.import_request(0))
        self.ask(protocol.construct_request(0, self._match.observation()))

    def ask(self, request: Request) -> SeatAnswered:
        """Send a request and return the answer. Raises RuntimeError if the bot commits a fault."""
        event = ask_alone(self.seat, request, self._limits, self._clock, lambda: False)
        if not isinstance(event, SeatAnswered):
            raise RuntimeError(f"the bot failed: {event.fault}")
        return event

    def close(self) -> None:
        self.seat.player.close()


def scale_sample(sample: Sample, factor: float) -> Sample:
    """Multiply a measurement's values by a factor, such as one over the number of repetitions."""
    return Sample(tuple(value * factor for value in sample.values))
