"""The review of a finished match is registered, shown on its page, and withheld with the result."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from arena.accounts.models import Role
from arena.games.golden_point.analysis import review as reviewing
from arena.games.golden_point.analysis.review import review
from arena.matches.models import Match, Seat
from arena.matches.queries import seat_rows
from arena.matches.records import record_of
from arena.matches.reviews import has_verdict, verdict_on_seat
from tests.factories import person
from tests.games.golden_point.analysis.games import create_finished_match


@pytest.fixture
def match(db: None) -> Match:
    cache.clear()
    found = create_finished_match(seats=11)
    record = record_of(found.pk)
    assert record is not None
    for seat in found.seats.all():
        Seat.objects.filter(pk=seat.pk).update(
            points=record.outcome.points[seat.index], rank=record.outcome.ranks[seat.index]
        )
    return found


def test_verdict_is_below_the_title_and_links_to_its_round(
    match: Match, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    found = verdict_on_seat("golden_point", match.pk, 10)
    assert found
    assert has_verdict("golden_point", match.pk)
    (winner,) = (line.name for line in seat_rows(match.pk) if line.rank == 1)
    assert winner in str(found.message)
    with django_assert_max_num_queries(2):
        again = review(match.pk)
    assert again
    assert [one.seat for one in again.verdicts] == list(range(11))
    assert {(one.turn, one.message.text) for one in again.verdicts} == {(found.turn, found.message.text)}

    page = Client().get(f"/matches/{match.pk}/").content.decode()

    assert str(found.message) in page
    assert found.turn > 1
    assert f'data-at="{found.turn}">Show this round<' in page


def test_withheld_result_is_shown_only_to_its_organizer(match: Match) -> None:
    found = verdict_on_seat("golden_point", match.pk, 0)
    assert found
    organizer = person(role=Role.ORGANIZER)
    Match.objects.filter(pk=match.pk).update(withheld=True, requested_by=organizer)
    client = Client()

    assert client.get(f"/matches/{match.pk}/").status_code == 404
    client.force_login(organizer)
    assert str(found.message) in client.get(f"/matches/{match.pk}/").content.decode()


def test_matches_too_long_to_review_have_no_verdict(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewing, "_MAX_MOVES", 11 * match.turns - 1)

    assert review(match.pk) is None
    assert Client().get(f"/matches/{match.pk}/").status_code == 200
