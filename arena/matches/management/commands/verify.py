"""`manage.py verify [MATCH ...]`: replay stored records through the rules and compare with the database."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.matches.verification import finished_ids, problems_of


class Command(BaseCommand):
    help = "Replays the records of finished matches through the rules; fails when anything disagrees."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("match", nargs="*", type=int, help="match numbers; all finished ones if none is given")

    def handle(self, *args: Any, **options: Any) -> None:
        wanted: list[int] = options["match"]
        ids = finished_ids(wanted or None)
        for unknown in sorted(set(wanted) - set(ids)):
            raise CommandError(f"There is no finished match {unknown}.")
        bad = 0
        for match_id in ids:
            for problem in problems_of(match_id):
                bad += 1
                self.stderr.write(f"match {match_id}: {problem}")
        if bad:
            raise CommandError(f"{bad} problems in {len(ids)} matches.")
        self.stdout.write(f"{len(ids)} matches agree with their records and the rules.")
