"""``manage.py workers status`` and ``manage.py workers drain``: show or drain the workers on all hosts."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from arena.platform.workers import services
from arena.platform.workers.queries import WorkerRow, worker_rows

POLL_SECONDS = 1.0


class Command(BaseCommand):
    help = "Show the workers of all hosts, or drain them: they finish their current jobs and exit."

    def add_arguments(self, parser: CommandParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        commands.add_parser("status", help="print one line per worker")
        drain = commands.add_parser("drain", help="drain workers; their supervisor restarts them")
        drain.add_argument(
            "workers", nargs="*", metavar="WORKER", help="a host, or host:pid as in `status`; default: all"
        )
        drain.add_argument("--wait", action="store_true", help="wait until all of them have drained")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["command"] == "status":
            self._status()
        else:
            self._drain(options["workers"], wait=options["wait"])

    def _status(self) -> None:
        lines = worker_rows(now=timezone.now())
        for line in lines:
            self.stdout.write(_text(line))
        if not lines:
            self.stdout.write("No workers.")

    def _drain(self, names: list[str], *, wait: bool) -> None:
        chosen = services.request_drain(names, now=timezone.now())
        if not chosen:
            raise CommandError(f"There is no live worker named {', '.join(names)}. See `manage.py workers status`.")
        self.stdout.write("draining: " + ", ".join(chosen))
        left = set(chosen)
        while wait and left:
            time.sleep(POLL_SECONDS)
            left &= {line.name for line in worker_rows(now=timezone.now()) if line.is_draining}


def _text(line: WorkerRow) -> str:
    facts = [
        line.name,
        line.state.value,
        f"{line.concurrency} at once",
        ",".join(line.queues),
        f"code {line.version}",
        f"heartbeat {line.silent_seconds:.0f} s ago",
    ]
    return "  ".join([*facts, f"runs no bots: {line.refused}"] if line.refused else facts)
