"""``manage.py organizer USERNAME``: let a user create and run tournaments."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.accounts import services
from arena.platform.refusal import NotFound, Refused


class Command(BaseCommand):
    help = "Make an account an organizer account, which can create and run tournaments."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--create", action="store_true", help="create the account and print its password")

    def handle(self, *args: Any, username: str, create: bool, **options: Any) -> None:
        try:
            if create:
                made = services.create_organizer(username)
                self.stdout.write(f"{made.username} is now an organizer. Password (shown only once):")
                self.stdout.write(made.password)
            else:
                services.appoint_organizer(username)
                self.stdout.write(f"{username} is now an organizer.")
        except NotFound:
            raise CommandError(
                f"There is no account named {username}. Sign up on the site first, or add --create to create it."
            ) from None
        except Refused:
            raise CommandError(f"The account {username} already exists. Remove --create.") from None
