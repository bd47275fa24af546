"""How bots are started: as plain processes, or in the arena's jail where there is one.

Importing this module loads nothing that only Linux has.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from arena.core.referee.players import Player
from arena.core.referee.spec import MatchLimits
from arena.core.referee.subprocess_player import SubprocessPlayer
from bots.cli.errors import CommandError
from bots.cli.gtp import ENGINE_FILE

_ROOT = Path(__file__).resolve().parent.parent.parent
_HARNESS = _ROOT / "bots" / "sdk" / "harness.py"
_GTP = _ROOT / "bots" / "cli" / "gtp.py"
# Where a checkout of the arena installs what bots may import.
_LIBRARIES = _ROOT / "build" / "bot-libraries"

Seating = Callable[[Path], Player]  # a player of the bot in a folder


def seating(jail: bool, stack: ExitStack) -> Seating:
    """What starts bots; a jail lasts as long as ``stack``. Raises CommandError where there is none."""
    return _jailed(stack) if jail else plain


def plain(folder: Path) -> Player:
    """The bot, or the engine, in a process of its own, without a jail: it is the person's own."""
    script = _GTP if (folder / ENGINE_FILE).exists() else _HARNESS
    return SubprocessPlayer([sys.executable, str(script)], folder)


def _jailed(stack: ExitStack) -> Seating:
    if sys.platform != "linux":
        raise CommandError("There is no jail here: it needs Linux. Leave out --jail to play bots that you trust.")
    from arena.core.referee.jailed_player import JailedPlayer, jail_limits
    from arena.core.sandbox import canary
    from arena.core.sandbox.config import Mode, SandboxConfig
    from arena.core.sandbox.errors import SandboxUnavailable
    from arena.core.sandbox.outside.forkserver import ForkServer

    mode = Mode(os.environ.get("SANDBOX_MODE", Mode.AUTO))
    try:
        server = stack.enter_context(ForkServer(SandboxConfig(_libraries(), _ROOT, mode=mode)))
    except SandboxUnavailable as error:
        reasons = "\n".join(f"  {one.capability}: {one.how_to_grant}" for one in error.missing)
        raise CommandError(
            f"There is no jail here. This machine lacks:\n{reasons}\nLeave out --jail to play bots that you trust."
        ) from None
    escapes = canary.run(server)
    if escapes:
        raise CommandError(f"The jail of this machine does not hold: {'; '.join(map(str, escapes))}.")
    limits = jail_limits(MatchLimits())

    def jailed(folder: Path) -> Player:
        if (folder / ENGINE_FILE).exists():
            raise CommandError("An engine that speaks GTP cannot play in the jail. Leave out --jail.")
        return JailedPlayer(server, folder, limits)

    return jailed


def _libraries() -> tuple[Path, ...]:
    """The arena's own selection in a checkout, else what is installed here."""
    if _LIBRARIES.is_dir():
        return (_LIBRARIES,)
    return tuple(path for path in {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")} if path.is_dir())
