"""HTTP clients for readers with different permissions on a match's page."""

from __future__ import annotations

from django.test import Client

from arena.accounts.models import Role, User
from arena.matches.models import Match
from tests.factories import person


def client_for(match: Match, name: str) -> Client:
    client = Client()
    people: dict[str, User | None] = {
        "other student": person(),
        "author": match.seats.get(index=0).submission.bot.owner,
        "organizer": match.requested_by or person(role=Role.ORGANIZER),
        "staff": person(is_staff=True),
    }
    user = people.get(name)
    if user is not None:
        client.force_login(user)
    return client
