"""The review of a finished match is registered, shown on its page, and withheld with the result."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from arena.accounts.models import Role
from arena.games.golden_point.analysis import review as reviewing
from arena.games.golden_point.analysis.review import review
from arena.games.golden_point.verdict_messages import COSTLIEST_ROUND, FARTHEST, TOO_HIGH, TOO_LOW
from arena.games.localized_messages import translate_message
from arena.matches.loss_notices import LOSS, notify_of_recent_losses
from arena.matches.models import Match, Seat
from arena.matches.queries import seat_rows
from arena.matches.records import record_of
from arena.matches.reviews import has_verdict, verdict_on_seat
from arena.notifications.models import Notification
from tests.factories import person
from tests.games.golden_point.analysis.matches import create_finished_match
from tests.games.reversi.analysis.matches import NOW


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
    seats = {line.index: line for line in seat_rows(match.pk)}
    first = next(line.index for line in seats.values() if line.rank == 1)
    found = verdict_on_seat("golden_point", match.pk, first)
    assert found
    assert has_verdict("golden_point", match.pk)
    assert seats[first].name in str(found.message)
    with django_assert_max_num_queries(2):
        again = review(match.pk)
    assert again
    assert again.overall == found
    assert sorted(one.seat for one in again.verdicts) == list(range(11))
    for one in again.verdicts:
        if one.seat != first:
            assert one.message.code in {TOO_HIGH.code, TOO_LOW.code, FARTHEST.code, COSTLIEST_ROUND.code}
            assert one.message.parameters["name"] == seats[one.seat].name
            assert 1 <= one.turn <= match.turns

    page = Client().get(f"/matches/{match.pk}/").content.decode()

    assert str(found.message) in page
    assert found.turn > 1
    assert f'data-at="{found.turn}" data-unit="round"' in page


def test_author_of_a_losing_bot_sees_where_it_lost_the_most(match: Match) -> None:
    lines = [line for line in seat_rows(match.pk) if line.rank and line.rank > 6]
    found = verdict_on_seat("golden_point", match.pk, lines[0].index)
    assert found
    owner = match.seats.get(index=lines[0].index).bots_submission.bot.owner
    client = Client()
    client.force_login(owner)

    page = client.get(f"/matches/{match.pk}/").content.decode()

    assert str(found.message) in page
    assert f'data-at="{found.turn}" data-unit="round"' in page
    with translation.override("zh-hans"):
        assert translate_message(found.message).startswith(f"“{lines[0].name}”")


def test_author_is_notified_of_where_the_bot_lost_the_most(match: Match) -> None:
    loser = max(seat_rows(match.pk), key=lambda line: line.rank or 0)
    owner = match.seats.get(index=loser.index).bots_submission.bot.owner
    found = verdict_on_seat("golden_point", match.pk, loser.index)
    assert found
    Match.objects.filter(pk=match.pk).update(finished_at=NOW)

    notify_of_recent_losses({"golden_point": review}, now=NOW + timedelta(minutes=1))

    text = LOSS.text(Notification.objects.get(recipient=owner, kind=LOSS.code).context)
    assert (text.body, text.path) == (str(found.message), f"/matches/{match.pk}/?at={found.turn}")


def test_withheld_result_is_shown_only_to_its_organizer(match: Match) -> None:
    reviewed = review(match.pk)
    assert reviewed
    found = reviewed.overall
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
