"""Implement ``python -m bots submit``: upload a bot, wait for its check and show its faults."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

from bots.cli.errors import CommandError
from bots.cli.remote.bots import default_name, find_bot, own_bots, read_upload
from bots.cli.remote.client import Client, SiteError
from bots.cli.remote.formatting import DONE, format_fault, format_running_step, format_step
from bots.cli.remote.responses import Check, Version

POLL_SECONDS: Final = 1.0
SAME_CONTENT: Final = "same_content"


@dataclass(frozen=True, slots=True)
class SubmitOptions:
    """The command-line options; ``name`` and ``game`` may be empty."""

    file: Path
    name: str
    game: str
    wait: bool


def upload_version(client: Client, wanted: SubmitOptions) -> tuple[Version, bool]:
    """Upload a version; return it and whether it is new.

    If a version with the same files already exists, return that one. Raises CommandError.
    """
    file = read_upload(wanted.file)
    name = wanted.name or default_name(wanted.file)
    bot = find_bot(own_bots(client, wanted.game), name)
    if bot is None and not wanted.game:
        raise CommandError(f"You have no bot named {name}. To create it, add --game GAME.", code="no_bot")
    try:
        if bot is None:
            fields = {"name": name, "game": wanted.game}
            return client.upload("/bots", Version, file, fields), True
        return client.upload(f"/bots/{bot.id}/versions", Version, file, {}), True
    except SiteError as refused:
        if refused.problem.code != SAME_CONTENT:
            raise
        return client.get(f"/versions/{refused.problem.facts['submission']}", Version), False


class CheckWatcher:
    """A watcher that follows a check.

    Prints each finished step to ``out`` once, and the running step on the status line of a terminal.
    """

    def __init__(self, client: Client, out: TextIO, status: TextIO) -> None:
        self._client, self._out, self._status = client, out, status
        self._shown: set[str] = set()
        self._width = 0

    def follow(self, version_id: int) -> Check:
        """Wait until the check has ended, and return it."""
        while True:
            check = self._client.get(f"/versions/{version_id}/check", Check)
            self._draw_status("")
            for step in check.steps:
                if step.state in DONE and f"{step.name} {step.state}" not in self._shown:
                    self._shown.add(f"{step.name} {step.state}")
                    print(format_step(step), file=self._out, flush=True)
            if check.finished:
                return check
            self._draw_status(f"checking: {format_running_step(check)}")
            self._client.sleep(POLL_SECONDS)

    def _draw_status(self, line: str) -> None:
        if self._status.isatty() and (line or self._width):
            self._status.write("\r" + line.ljust(self._width) + ("" if line else "\r"))
            self._status.flush()
            self._width = len(line)


def format_check_result(version: Version, check: Check) -> str:
    """Format a check's faults, if any, followed by its result."""
    faults = [format_fault(fault) for fault in check.faults]
    ends = {
        "passed": "passed its check.",
        "failed": "failed its check.",
        "void": "could not be checked because the arena failed. Submit it again later.",
    }
    return "\n".join([*faults, f"{version.bot_name} v{version.number} {ends.get(check.status, check.status)}"])
