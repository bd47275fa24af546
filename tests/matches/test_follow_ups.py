"""A match page offers a rematch, and links to the next match of one of its bots."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from arena.matches import follow_ups, queries
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.queries import MatchCard
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


def test_author_can_request_a_rematch_of_the_same_bots(client: Client) -> None:
    owner = person()
    mine, other = bot(owner), bot()
    over = card(create_finished_match(mine, other))

    url = follow_ups.rematch_url(over, owner)

    assert url == f"/scrimmages/new/?game=reversi&mine={mine.pk}&against={other.pk}"
    client.force_login(owner)
    form = client.get(url).context["form"]
    assert (str(form["mine"].value()), form["opponents"].value()) == (str(mine.pk), [str(other.pk)])
    assert follow_ups.rematch_url(over, person()) == ""
    assert follow_ups.rematch_url(over, AnonymousUser()) == ""


def test_running_and_human_matches_have_no_rematch() -> None:
    owner = person()
    match = create_finished_match(bot(owner), bot(), status=MatchStatus.RUNNING)
    assert follow_ups.rematch_url(card(match), owner) == ""

    over = create_finished_match(bot(owner), bot())
    over.seats.filter(index=1).update(submission=None)
    assert follow_ups.rematch_url(card(over), owner) == ""


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

    for reader, name in ((owner, "Mine"), (AnonymousUser(), "")):  # to others, any of the names would be arbitrary
        found = follow_ups.next_match(card(first), reader)
        assert found
        assert (found.match_id, found.name) == (following.pk, name)
    assert follow_ups.next_match(card(following), owner) is None
