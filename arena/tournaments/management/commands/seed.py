"""`manage.py seed`: house bots and demonstration tournaments for a new installation."""

import random
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from arena.tournaments.services.demonstrations import seed


class Command(BaseCommand):
    help = "Installs the house bots and, where there is no tournament yet, creates two that can be watched."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--force", action="store_true", help="create the tournaments even where there are some")

    def handle(self, *args: Any, **options: Any) -> None:
        seeded = seed(timezone.now, random.SystemRandom(), force=options["force"])
        self.stdout.write(f"{seeded.uploads} house bots uploaded, {len(seeded.tournaments)} tournaments created.")
