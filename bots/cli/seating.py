"""Start bots: as plain processes, or in the arena's jail if it is available.

Importing this module loads no Linux-specific code.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from arena.core.referee.faults import RefereeFailure
from arena.core.referee.players import Player
from arena.core.referee.spec import MatchLimits
from arena.core.referee.subprocess_player import SubprocessPlayer
from arena.games.bot_packages import harness_argument, sdk_packages
from bots.cli.engines import ENGINE_FILE
from bots.cli.errors import CommandError
from bots.cli.terminal import game_terminal

_ROOT = Path(__file__).resolve().parent.parent.parent
_HARNESS = _ROOT / "bots" / "sdk" / "harness.py"
# Where ``make`` in a checkout of the arena installs the libraries that bots may import.
_LIBRARIES = _ROOT / "build" / "bot-libraries"

# Files that people keep beside their bots and that an upload does not need.
_NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "node_modules", "venv")

Seating = Callable[[Path], Player]  # starts a player for the bot in a folder


def create_seating(jail: bool, game: str, stack: ExitStack) -> Seating:
    """Return a function that starts bots. Raises CommandError if a jail is requested but not available.

    Closing ``stack`` closes the jail.
    """
    return _jailed_seating(stack) if jail else unjailed_seating(game)


def unjailed_seating(game: str) -> Seating:
    """Return a function that starts a bot or engine, which the user trusts, in a process without a jail."""
    harness = [sys.executable, str(_HARNESS), harness_argument(game)]
    engines = game_terminal(game).engines

    def start(folder: Path) -> Player:
        if engines and (folder / ENGINE_FILE).exists():
            return SubprocessPlayer([sys.executable, str(engines.script)], folder)
        return _BotInCopy(harness, folder)

    return start


class _BotInCopy(SubprocessPlayer):
    """A bot that runs in a temporary copy of its folder, as in the arena.

    Without the copy, a bot that saves files would find those from its last match or from an earlier step of the check.
    """

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        super().__init__(command, folder)
        self._original = folder
        self._copy: tempfile.TemporaryDirectory[str] | None = None

    def start(self) -> None:
        self._copy = tempfile.TemporaryDirectory(prefix="bot-", ignore_cleanup_errors=True)
        self.folder = Path(self._copy.name).resolve() / self._original.name
        try:
            shutil.copytree(self._original, self.folder, ignore=_NOT_COPIED, ignore_dangling_symlinks=True)
        except (OSError, shutil.Error) as error:
            raise RefereeFailure(f"Cannot copy the bot's folder: {error}") from error
        super().start()

    def close(self) -> None:
        super().close()
        if self._copy is not None:
            self.folder = self._original  # needed afterwards to look up the line at which a bot was stopped
            self._copy.cleanup()
            self._copy = None


def _jailed_seating(stack: ExitStack) -> Seating:
    if sys.platform != "linux":
        raise CommandError(
            "The sandbox needs Linux. Without --jail, you can play bots that you trust.", code="no_linux"
        )
    from arena.core.referee.jailed_player import JailedPlayer, jail_limits
    from arena.core.sandbox import self_test
    from arena.core.sandbox.config import Mode, SandboxConfig
    from arena.core.sandbox.errors import SandboxUnavailable
    from arena.core.sandbox.supervision.forkserver import ForkServer

    mode = Mode(os.environ.get("SANDBOX_MODE", Mode.AUTO))
    try:
        server = stack.enter_context(
            ForkServer(SandboxConfig(_library_folders(), _ROOT, packages=sdk_packages(), mode=mode))
        )
    except SandboxUnavailable as error:
        reasons = "\n".join(f"  {one.capability}: {one.how_to_grant}" for one in error.missing)
        raise CommandError(
            f"The sandbox is unavailable. This machine lacks:\n{reasons}\n"
            "Without --jail, you can play bots that you trust.",
            code="sandbox_unavailable",
        ) from None
    escapes = self_test.run_self_test(server)
    if escapes:
        raise CommandError(
            f"The sandbox failed its self-test: {'; '.join(map(str, escapes))}. "
            "Without --jail, you can play bots that you trust.",
            code="self_test_failed",
        )
    limits = jail_limits(MatchLimits())

    def jailed_player(folder: Path) -> Player:
        if (folder / ENGINE_FILE).exists():
            raise CommandError("External engines cannot run in the sandbox. Remove --jail.", code="engine_in_sandbox")
        return JailedPlayer(server, folder, limits)

    return jailed_player


def _library_folders() -> tuple[Path, ...]:
    """Return the folders of the bot libraries: in a checkout, the arena's own; otherwise, this installation's."""
    if _LIBRARIES.is_dir():
        return (_LIBRARIES,)
    return tuple(path for path in {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")} if path.is_dir())
