"""Recompute which rungs of the learning path have been reached.

Use this after a backup has been restored, or when a game's bosses have changed.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from arena.learning_path.event_handlers import rebuild


class Command(BaseCommand):
    help = "Recompute which rungs of the learning path people have reached, from their matches and checks."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=("rebuild",))

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{rebuild()} rungs reached")
