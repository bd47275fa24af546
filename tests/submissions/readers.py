"""Provide a client for every kind of reader who may open a page about somebody's bot."""

from __future__ import annotations

from django.test import Client

from arena.accounts.models import Role, User
from tests.factories import person

READERS = ["anonymous", "other", "organizer", "owner", "staff"]


def client_of(reader: str, owner: User) -> Client:
    client = Client()
    people = {
        "other": lambda: person("other"),
        "organizer": lambda: person("organizer", Role.ORGANIZER),
        "owner": lambda: owner,
        "staff": lambda: person("staff", is_staff=True),
    }
    if reader in people:
        client.force_login(people[reader]())
    return client
