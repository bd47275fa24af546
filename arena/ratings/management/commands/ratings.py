"""Ratings are computed from the match log: verify that the stored ones are what it says, or make them anew."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.games.registry import GAMES
from arena.ratings.services import rebuild
from arena.ratings.verification import differences


class Command(BaseCommand):
    help = "Verify that the stored ratings are what the match log says (verify), or compute them anew (rebuild)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=("verify", "rebuild"))
        parser.add_argument("--game", choices=tuple(GAMES), help="of this game only")

    def handle(self, *args: Any, what: str, game: str | None, **options: Any) -> None:
        games = [game] if game else list(GAMES)
        if what == "rebuild":
            for name in games:
                self.stdout.write(f"{name}: {rebuild(name)} submissions rated")
            return
        wrong = [f"{name}: {line}" for name in games for line in differences(name)]
        if wrong:
            raise CommandError("\n".join(wrong))
        self.stdout.write("The stored ratings are what the match log says.")
