"""``manage.py token USERNAME --scope submit --scope read``: create a personal access token."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from arena.accounts import tokens
from arena.accounts.models import TokenScope
from arena.accounts.services import active_account
from arena.platform.refusal import NotFound, Refused


class Command(BaseCommand):
    help = "Create a personal access token for an account. The last line of the output is the token, shown only once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument(
            "--scope", action="append", required=True, choices=TokenScope.values, help="can be repeated"
        )
        parser.add_argument("--days", type=int, help="days until the token expires (default: never)")
        parser.add_argument("--name", default="manage.py token", help="token name shown in its owner's settings")

    def handle(
        self, *args: Any, username: str, scope: Sequence[str], days: int | None, name: str, **options: Any
    ) -> None:
        if days is not None and not 1 <= days <= 3650:
            raise CommandError("--days must be between 1 and 3650.")
        lifetime = None if days is None else timedelta(days=days)
        try:
            person = active_account(username)
            made = tokens.create(person, name[:60], scope, now=timezone.now(), lifetime=lifetime)
        except NotFound:
            raise CommandError(f"There is no active account named {username}. Sign up on the site first.") from None
        except Refused as refusal:
            raise CommandError(refusal.message) from None
        self.stdout.write(f"Token of {person.username} for {', '.join(sorted(set(scope)))} (shown only once):")
        self.stdout.write(made.secret)
