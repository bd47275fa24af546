"""Verify the stored ratings against the matches, or rebuild them."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.games.registry import GAMES
from arena.ratings.services import rebuild
from arena.ratings.verification import rating_differences


class Command(BaseCommand):
    help = "Verify the stored ratings against the matches (verify), or recompute them (rebuild)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=("verify", "rebuild"))
        parser.add_argument("--game", choices=tuple(GAMES), help="only this game")

    def handle(self, *args: Any, what: str, game: str | None, **options: Any) -> None:
        games = [game] if game else list(GAMES)
        if what == "rebuild":
            for name in games:
                self.stdout.write(f"{name}: {rebuild(name)} submissions rated")
            return
        wrong = [f"{name}: {line}" for name in games for line in rating_differences(name)]
        if wrong:
            raise CommandError("\n".join(wrong))
        self.stdout.write("The stored ratings agree with the matches.")
