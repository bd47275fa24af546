"""`manage.py retention [--reduce]`: report how many matches still have complete data.

With `--reduce`, first delete or move the data of all matches that are due.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from arena.matches import retention
from arena.matches.retention import Retention


class Command(BaseCommand):
    help = (
        "Show for how many finished matches the data is complete, reduced or due for reduction. MATCH_RECORD_DAYS "
        "and MATCH_RECORD_MOVE configure what is kept; results and ratings are always kept."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--reduce", action="store_true", help="reduce the data of all due matches now")

    def handle(self, *args: Any, reduce: bool, **options: Any) -> None:
        chosen, now = Retention.from_settings(), timezone.now()
        if reduce:
            while done := retention.reduce_due_matches(chosen, now=now):
                self.stdout.write(f"reduced the data of {done} matches")
        found = retention.retention_summary(chosen, now=now)
        oldest = f", the oldest from {found.oldest:%Y-%m-%d}" if found.oldest else ""
        kept = "kept permanently" if chosen.days is None else f"kept for {chosen.days} days"
        then = "" if chosen.days is None else ", then moved to the store" if chosen.move else ", then deleted"
        self.stdout.write(
            f"Records and logs are {kept}{then}.\n"
            f"{found.whole} matches are complete{oldest}; {found.moved} have their records in the store, "
            f"{found.deleted} have no record; {found.due} are due."
        )
