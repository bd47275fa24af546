"""Pages of the match list contain each match once and in order, for every reader and wherever a page starts."""

from __future__ import annotations

import random

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from arena.accounts.models import User
from arena.matches import listing
from arena.matches.listing import MatchFilter
from arena.matches.models import Match, MatchStatus, Purpose, Seat
from tests import factories

pytestmark = pytest.mark.django_db
NOBODY = AnonymousUser()


@pytest.fixture
def people() -> list[User]:
    """Create Ann and Bob with matches, some of them not public, and with large gaps between the matches' ids.

    Ann has one bot and also plays in person; Bob has two bots.
    """
    rng = random.Random(1)
    people = [factories.person(name) for name in ("Ann", "Bob")]
    bots = [factories.bot(owner) for owner in (people[0], people[1], people[1])]
    pk = 0
    for number in range(60):
        pk += rng.choice((1, 1, 700, 9_000))
        match = Match.objects.create(
            pk=pk,
            game="reversi",
            seed=1,
            purpose=rng.choice((Purpose.LADDER, Purpose.TOURNAMENT, Purpose.DUEL)),
            status=rng.choice((MatchStatus.FINISHED, MatchStatus.VOID, MatchStatus.PLANNED)),
            withheld=rng.random() < 0.1,
        )
        first, second = rng.sample(bots, 2)
        Seat.objects.create(match=match, index=0, submission=first.active)
        if number % 5:
            Seat.objects.create(match=match, index=1, submission=second.active)
        else:
            Seat.objects.create(match=match, index=1, person=people[0])
    return people


def expected_ids(chosen: MatchFilter) -> list[int]:
    """Return the ids that should be listed, found by checking every match."""
    rows = Match.objects.filter(withheld=False).exclude(status=MatchStatus.PLANNED).order_by("-pk")
    found = []
    for match in rows.prefetch_related("seats__submission__bot__owner", "seats__person"):
        names = {
            seat.person.username if seat.person else seat.bots_submission.bot.owner.username
            for seat in match.seats.all()
        }
        bots = {seat.submission.bot_id for seat in match.seats.all() if seat.submission}
        fits = (chosen.bot is None or chosen.bot in bots) and (not chosen.person or chosen.person.title() in names)
        if fits and chosen.status in ("", match.status) and chosen.purpose in ("", match.purpose):
            found.append(match.pk)
    return found


def filters(people: list[User]) -> list[MatchFilter]:
    bot = people[0].bots.get().pk
    return [
        MatchFilter(),
        MatchFilter(game="reversi", status="void"),
        MatchFilter(purpose="duel"),
        MatchFilter(bot=bot),
        MatchFilter(person="ann"),
        MatchFilter(person="Bob", status="finished"),
        MatchFilter(person="Ann", bot=bot, purpose="ladder"),
    ]


@pytest.mark.long
def test_pages_contain_each_match_once_in_both_directions(people: list[User]) -> None:
    for chosen in filters(people):
        matches = expected_ids(chosen)
        assert matches, chosen
        forwards, page = [], listing.match_page(chosen, NOBODY, 4)
        assert page.newer is None
        while True:
            forwards += page.ids
            if page.older is None:
                break
            page = listing.match_page(chosen, NOBODY, 4, before=page.older)
        assert forwards == matches, chosen
        backwards = list(page.ids)
        while page.newer is not None:
            page = listing.match_page(chosen, NOBODY, 4, after=page.newer)
            backwards = [pk for pk in page.ids if pk not in backwards] + backwards
        assert backwards == matches, chosen
        assert listing.newest_match_ids(chosen, NOBODY, 3) == matches[:3]


def test_list_without_matches_is_empty() -> None:
    for chosen in (MatchFilter(), MatchFilter(person="nobody"), MatchFilter(bot=9)):
        assert listing.match_page(chosen, NOBODY, 4) == listing.MatchPage([])
        assert listing.match_page(chosen, NOBODY, 4, before=5) == listing.MatchPage([])
        assert listing.match_page(chosen, NOBODY, 4, after=5) == listing.MatchPage([])


@pytest.mark.long
def test_page_links_to_its_neighbors_and_keeps_the_filter() -> None:
    for _ in range(30):
        factories.queued_match()
    client, url = Client(), reverse("match-list")
    newest = client.get(url, {"game": "reversi", "before": "nonsense"}).content.decode()
    assert "Older" in newest
    assert "Newer" not in newest
    ids = list(Match.objects.order_by("-pk").values_list("pk", flat=True))
    assert f"?game=reversi&amp;before={ids[23]}" in newest
    older = client.get(url, {"game": "reversi", "before": ids[23]}).content.decode()
    assert f"after={ids[24]}" in older
    assert "Older" not in older
    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.get(url)
    assert any("ORDER BY" in query["sql"] for query in queries)
    assert not any("COUNT(" in query["sql"] for query in queries)
