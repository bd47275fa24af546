"""A match page offers a rematch, and links to the next match of one of its bots."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponseRedirect
from django.test import Client
from django.urls import resolve, reverse

from arena.matches import follow_ups, queries
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.queries import MatchCard
from arena.matches.scrimmages import AT_ONCE
from arena.platform.quota import LIMIT
from arena.submissions.models import Bot
from tests.factories import bot, person, queued_match

pytestmark = pytest.mark.django_db


def create_finished_match(*bots: Bot, purpose: Purpose = Purpose.SCRIMMAGE, **columns: object) -> Match:
    match = queued_match(bots, purpose=purpose)
    Match.objects.filter(pk=match.pk).update(**{"status": MatchStatus.FINISHED, **columns})
    return match


def card(match: Match) -> MatchCard:
    found = queries.match_card(match.pk)
    assert found
    return found


def request_rematch(client: Client, match: Match) -> Match:
    """Request a rematch as the user of this client, and return the match that the page then shows."""
    answer = client.post(reverse("match-rematch", args=[match.pk]))
    assert isinstance(answer, HttpResponseRedirect)
    return Match.objects.get(pk=resolve(answer.url).kwargs["match_id"])


def test_author_gets_a_rematch_in_rotated_seats_with_the_same_settings(client: Client) -> None:
    owner = person()
    mine, other = bot(owner), bot()
    limits = {"move_seconds": 3.0, "pace_seconds": 0.5}
    old = create_finished_match(mine, other, limits=limits, purpose=Purpose.TOURNAMENT)
    client.force_login(owner)
    assert reverse("match-rematch", args=[old.pk]) in client.get(reverse("match", args=[old.pk])).content.decode()

    new = request_rematch(client, old)

    assert (new.purpose, new.requested_by, new.settings) == (Purpose.SCRIMMAGE, owner, old.settings)
    assert {name: new.limits[name] for name in limits} == limits
    seated = new.seats.order_by("index").values_list("submission__bot", flat=True)
    assert list(seated) == [other.pk, mine.pk]


def test_refused_rematch_says_why_on_the_page_of_the_match(client: Client) -> None:
    owner = person()
    old = create_finished_match(bot(owner), bot())
    client.force_login(owner)
    running = [request_rematch(client, old) for _ in range(AT_ONCE)]
    assert old not in running

    assert request_rematch(client, old) == old

    assert [note.extra_tags for note in client.get(reverse("match", args=[old.pk])).context["messages"]] == [LIMIT]
    assert Match.objects.filter(purpose=Purpose.SCRIMMAGE, requested_by=owner).count() == AT_ONCE


def test_only_authors_of_finished_matches_between_bots_get_a_rematch(client: Client) -> None:
    owner = person()
    mine = bot(owner)
    over = create_finished_match(mine, bot())
    assert follow_ups.can_be_replayed(card(over), owner)
    assert not follow_ups.can_be_replayed(card(over), person())
    assert not follow_ups.can_be_replayed(card(over), AnonymousUser())

    running = create_finished_match(mine, bot(), status=MatchStatus.RUNNING)
    with_person = create_finished_match(mine, bot())
    with_person.seats.filter(index=1).update(submission=None)
    for match in (running, with_person, create_finished_match(mine, mine)):
        assert not follow_ups.can_be_replayed(card(match), owner)

    client.force_login(person())
    assert client.post(reverse("match-rematch", args=[over.pk])).status_code == 404


def test_next_match_prefers_the_readers_bot_then_student_bots() -> None:
    owner = person()
    house, mine = bot(name="House"), bot(owner, name="Mine")
    Bot.objects.filter(pk=house.pk).update(is_house=True)
    first = create_finished_match(house, mine)
    create_finished_match(house, bot())
    create_finished_match(mine, bot(), purpose=Purpose.VERSION_TEST)
    create_finished_match(mine, bot(), withheld=True)
    queued_match([mine, bot()])
    following = create_finished_match(bot(), mine)

    for reader in (owner, AnonymousUser()):
        found = follow_ups.next_match(card(first), reader)
        assert found
        assert (found.match_id, found.name) == (following.pk, "Mine")
    assert follow_ups.next_match(card(following), owner) is None
