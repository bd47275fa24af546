"""`manage.py verify [MATCH ...]`: replay stored records through the rules, compute standings afresh, and compare."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.matches import verification as matches
from arena.tournaments import verification as tournaments


class Command(BaseCommand):
    help = "Checks finished matches against their records and the rules, and standings against the matches."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("match", nargs="*", type=int, help="match numbers; everything if none is given")

    def handle(self, *args: Any, **options: Any) -> None:
        wanted: list[int] = options["match"]
        match_ids = matches.finished_ids(wanted or None)
        for unknown in sorted(set(wanted) - set(match_ids)):
            raise CommandError(f"There is no finished match {unknown}.")
        tournament_ids = [] if wanted else tournaments.started_ids()
        bad = sum(self._report(f"match {pk}", matches.problems_of(pk)) for pk in match_ids)
        bad += sum(self._report(f"tournament {pk}", tournaments.problems_of(pk)) for pk in tournament_ids)
        checked = f"{len(match_ids)} matches and {len(tournament_ids)} standings"
        if bad:
            raise CommandError(f"{bad} problems in {checked}.")
        self.stdout.write(f"{checked} agree with the records and the rules.")

    def _report(self, subject: str, problems: list[str]) -> int:
        for problem in problems:
            self.stderr.write(f"{subject}: {problem}")
        return len(problems)
