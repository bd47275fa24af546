"""Entering and withdrawing are permitted to exactly these people."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse

from arena.accounts.models import Role, User
from arena.accounts.permissions import Person
from arena.tournaments.entries.eligibility import entry_refusal, may_withdraw
from arena.tournaments.models import Entry, EntryPolicy, EntryStatus
from tests import factories
from tests.api.caller import Caller
from tests.tournaments.harness import TournamentHarness

READERS = ("anonymous", "other student", "other organizer", "author", "closed author", "organizer", "staff")
WITHDRAW = {"author", "organizer", "staff"}


def person_of(stage: TournamentHarness, reader: str, author: User) -> Person:
    match reader:
        case "anonymous":
            return AnonymousUser()
        case "author":
            return author
        case "closed author":
            author.is_active = False
            author.save()
            return author
        case "organizer":
            return stage.organizer
        case "other organizer":
            return factories.person(role=Role.ORGANIZER)
    return factories.person(is_staff=reader == "staff")


@pytest.fixture
def entry(stage: TournamentHarness) -> Entry:
    return stage.enter_bots(stage.create_tournament(), 1)[0]


@pytest.mark.parametrize("reader", READERS)
def test_who_may_withdraw_an_entry(stage: TournamentHarness, entry: Entry, reader: str) -> None:
    author = entry.bot.owner
    person = person_of(stage, reader, author)
    allowed = reader in WITHDRAW
    assert may_withdraw(person, bot_owner_id=author.pk, organizer_id=stage.organizer.pk) is allowed
    client = Client()
    if isinstance(person, User):
        client.force_login(person)
    page = client.post(reverse("tournament-withdraw", args=[entry.tournament_id, entry.pk]))
    to_login = reader in ("anonymous", "closed author")
    assert page.status_code == (302 if allowed or to_login else 403)
    assert ("login" in page.headers.get("Location", "")) is to_login
    entry.refresh_from_db()
    assert (entry.status == EntryStatus.WITHDRAWN) is allowed


@pytest.mark.long
@pytest.mark.parametrize("reader", [reader for reader in READERS if reader != "closed author"])
def test_who_may_withdraw_an_entry_through_the_api(stage: TournamentHarness, entry: Entry, reader: str) -> None:
    person = person_of(stage, reader, entry.bot.owner)
    caller = Caller(person if isinstance(person, User) else None)
    answer = caller.post(f"/tournaments/{entry.tournament_id}/entries/{entry.pk}/withdraw")
    assert answer.status_code == (401 if reader == "anonymous" else 200 if reader in WITHDRAW else 403)


@pytest.mark.parametrize("reader", ["other student", "other organizer", "author", "organizer", "staff"])
def test_only_the_organizer_may_enter_uninvited(stage: TournamentHarness, reader: str) -> None:
    cup = stage.create_tournament(entry_policy=EntryPolicy.INVITED)
    person = person_of(stage, reader, factories.person())
    assert isinstance(person, User)
    refusal = entry_refusal(cup.pk, person)
    assert (refusal and refusal.code) == (None if reader == "organizer" else "not_invited")
