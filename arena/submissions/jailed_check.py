"""Check submissions on workers: in the jail, against a house bot of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import distributions
from pathlib import Path

from django.conf import settings

from arena.core.referee.check import check_bot
from arena.core.referee.check_report import CheckReport, CheckStep
from arena.core.referee.clock import SystemClock
from arena.core.sandbox.uploads.package import read_package
from arena.games.bot_packages import bots_folder
from arena.games.registry import GAMES
from arena.platform.workers.jail_settings import core_pool
from arena.submissions import jail, store
from arena.submissions.check_job import CheckJob


def jailed_check(job: CheckJob, on_step: Callable[[CheckStep], None], stop: Callable[[], bool]) -> CheckReport:
    """Run the check in the jail; workers use this function as their ``Checker``."""
    server = jail.fork_server()
    with (
        store.unpacked_package(job.sha256) as folder,
        _opponent_folder(job.game) as opponent,
        core_pool().take_core(job.submission_id) as core,
    ):
        return check_bot(
            folder,
            GAMES[job.game],
            opponent,
            server,
            on_step,
            SystemClock(),
            settings.CHECK_MOVE_SECONDS,
            libraries=_library_names(),
            start_seconds=settings.CHECK_START_SECONDS,
            first_move_seconds=settings.CHECK_FIRST_MOVE_SECONDS,
            match_seconds=settings.CHECK_MATCH_SECONDS,
            core=core,
            stop=stop,
        )


def _library_names() -> list[str]:
    """Return the package names of the libraries that bots may import beyond the standard library."""
    found = distributions(path=[str(settings.BOT_LIBRARIES_DIR)])
    return sorted(distribution.metadata["Name"] for distribution in found)


@contextmanager
def _opponent_folder(game: str) -> Iterator[Path]:
    """Yield a folder with a copy of the house bot's code, so that the bot need not be uploaded."""
    path = bots_folder(game) / "house" / f"{GAMES[game].trial.opponent}.py"
    with store.temporary_folder(read_package(path.read_bytes(), path.name)) as folder:
        yield folder
