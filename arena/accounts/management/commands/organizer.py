"""``manage.py organizer USERNAME``: lets a person create and run tournaments."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.accounts import services
from arena.platform.refusal import Refused


class Command(BaseCommand):
    help = "Makes an organizer of an account, who can then create and run tournaments."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--create", action="store_true", help="make the account too and print its password")

    def handle(self, *args: Any, username: str, create: bool, **options: Any) -> None:
        try:
            if create:
                made = services.create_organizer(username)
                self.stdout.write(f"{made.username} is an organizer now. Password, shown only this once:")
                self.stdout.write(made.password)
            else:
                services.appoint_organizer(username)
                self.stdout.write(f"{username} is an organizer now.")
        except services.NoSuchPerson:
            raise CommandError(
                f"There is no account {username}. Sign up on the site first, or add --create to make it here."
            ) from None
        except Refused:
            raise CommandError(f"The account {username} exists already; leave out --create.") from None
