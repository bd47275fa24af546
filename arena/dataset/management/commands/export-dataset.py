"""Publish a version of the open dataset immediately, or remove a version."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, date, timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from arena.dataset import publishing
from arena.platform.refusal import Refused


def _parse_date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"expected a date such as 2026-11-22, not {text}") from None


class Command(BaseCommand):
    help = "Publish all finished public matches as Parquet files, or remove a published version."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--until",
            type=_parse_date,
            help="include matches that ended before this day (UTC, YYYY-MM-DD; default: today)",
        )
        parser.add_argument(
            "--remove", metavar="VERSION", help="remove this version instead, for example 2026-11-22-v1"
        )

    def handle(self, *args: Any, until: date | None, remove: str | None, **options: Any) -> None:
        try:
            if remove is not None:
                publishing.remove_version(remove)
                self.stdout.write(f"{remove} removed")
                return
            today = timezone.now().astimezone(UTC).date()
            if until is not None and until > today + timedelta(days=1):
                raise CommandError(f"{until} is too late. The latest possible day is {today + timedelta(days=1)}.")
            made = publishing.publish(until or today)
        except Refused as reason:
            raise CommandError(str(reason)) from None
        for table, count in made.rows.items():
            self.stdout.write(f"{table}: {count} rows")
        size = made.version.size
        self.stdout.write(f"{made.version.name}: {len(made.version.files)} files, {size} bytes")
