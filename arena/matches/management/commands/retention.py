"""`manage.py retention [--thin]`: what of old matches was thinned out, and what will be."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from arena.matches import retention
from arena.matches.retention import Retention


class Command(BaseCommand):
    help = (
        "Shows how many finished matches have their records, how many were thinned out and how many are due. "
        "MATCH_RECORD_DAYS and MATCH_RECORD_MOVE choose what is kept; results and ratings always stay."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--thin", action="store_true", help="thin out now what is due, all of it")

    def handle(self, *args: Any, thin: bool, **options: Any) -> None:
        chosen, now = Retention.chosen(), timezone.now()
        if thin:
            while done := retention.thin(chosen, now=now):
                self.stdout.write(f"{done} matches thinned out")
        found = retention.summary(chosen, now=now)
        oldest = f", the oldest of {found.oldest:%Y-%m-%d}" if found.oldest else ""
        kept = "kept for ever" if chosen.days is None else f"kept for {chosen.days} days"
        then = "" if chosen.days is None else ", then moved to the store" if chosen.move else ", then deleted"
        self.stdout.write(
            f"Records and logs are {kept}{then}.\n"
            f"{found.whole} matches are whole{oldest}; {found.moved} have their records in the store, "
            f"{found.deleted} have none any more; {found.due} are due."
        )
