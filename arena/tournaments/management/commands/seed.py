"""`manage.py seed`: create house bots and demonstration tournaments for a new installation."""

import random
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from arena.games.bot_packages import house_digest, house_folders
from arena.tournaments.services.demonstrations import DemonstrationPolicy, seed


class Command(BaseCommand):
    help = "Upload new and changed house bots; create demonstration tournaments if there are no tournaments."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--force", action="store_true", help="create the tournaments even if others exist")
        parser.add_argument(
            "--marker",
            type=Path,
            metavar="FILE",
            help="file that stores a digest of the house bots; the command does nothing if they are unchanged, and "
            "creates no tournaments if the file exists",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        marker: Path | None = options["marker"]
        digest = house_digest(house_folders().values())
        if marker and marker.exists() and marker.read_text() == digest:
            self.stdout.write("The house bots have not changed.")
            return
        wanted = DemonstrationPolicy.ALWAYS if options["force"] else DemonstrationPolicy.WITHOUT_TOURNAMENTS
        if marker and marker.exists():
            wanted = DemonstrationPolicy.NEVER
        seeded = seed(timezone.now, random.SystemRandom(), wanted)
        self.stdout.write(f"{seeded.uploads} house bots uploaded, {len(seeded.tournaments)} tournaments created.")
        if marker:
            marker.write_text(digest)
