"""Rebuild the search index, for example after bulk inserts."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from arena.search.indexing import rebuild_index


class Command(BaseCommand):
    help = "Rebuild the search index of bots, people, tournaments and classes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=("rebuild",))

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{rebuild_index()} names indexed")
