"""``manage.py sandbox status``: report whether this machine can run bots with the site's configuration."""

from __future__ import annotations

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from arena.core.sandbox.__main__ import show
from arena.core.sandbox.status import probe_status
from arena.platform.workers.jail_settings import sandbox_config


class Command(BaseCommand):
    help = "Show the sandbox mode, the probed capabilities and the self-test's result; exit with 1 if bots cannot run."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["status"])
        parser.add_argument("--json", action="store_true", help="print the report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        status = probe_status(sandbox_config())
        if options["json"]:
            self.stdout.write(json.dumps(status.to_json(), indent=2))
        else:
            show(status)
        if not status.is_usable:
            sys.exit(1)
