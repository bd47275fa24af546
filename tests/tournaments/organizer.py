"""The organizer's operations page as a browser requests it."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from arena.accounts.models import User
from arena.tournaments.models import Tournament


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def operations_page(tournament: Tournament) -> str:
    return reverse("tournament-operations", args=[tournament.pk])
