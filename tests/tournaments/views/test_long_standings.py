"""Long standings are paginated, and readers refetch their own page when the standings change."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from arena.matches.models import MatchStatus
from arena.tournaments.events.snapshots import ROWS_A_PAGE, snapshot
from arena.tournaments.models import Tournament
from tests.tournaments.harness import TournamentHarness


@pytest.fixture
def long_tournament(stage: TournamentHarness) -> Tournament:
    tournament = stage.start_tournament(ROWS_A_PAGE + 5, parallel=2)
    for match in stage.matches(tournament, MatchStatus.QUEUED):
        stage.finish_match(match, (1, 2))
    return tournament


def test_every_entry_is_on_exactly_one_page_in_order(stage: TournamentHarness, long_tournament: Tournament) -> None:
    first, second = snapshot(long_tournament.pk), snapshot(long_tournament.pk, "2")
    assert [len(shown["rows"]) for shown in (first, second)] == [ROWS_A_PAGE, 5]
    assert first["pages"] == second["pages"] == 2
    ranks = [row["rank"] for shown in (first, second) for row in shown["rows"]]
    assert ranks == sorted(ranks)
    assert len({entry for shown in (first, second) for entry in shown["order"]}) == ROWS_A_PAGE + 5


@pytest.mark.long
def test_page_links_to_other_pages_of_standings(stage: TournamentHarness, long_tournament: Tournament) -> None:
    address = reverse("tournament", args=[long_tournament.pk])
    page = Client().get(address).content.decode()
    assert "Page 1 of 2" in page
    second = Client().get(f"{address}?standings=2").content.decode()
    assert "Page 2 of 2" in second
    assert "snapshot.json?standings=2" in second


@pytest.mark.long
def test_events_ask_readers_to_refetch_instead_of_sending_rows(
    stage: TournamentHarness, long_tournament: Tournament
) -> None:
    standings = [event for event in stage.events(long_tournament) if event["type"] == "standing"]
    assert standings
    assert all(event["refetch"] and "rows" not in event for event in standings)
    assert all("rows" not in event for event in stage.events(long_tournament)[-5:])


@pytest.mark.long
@pytest.mark.parametrize("entries", [70, 90])
def test_page_takes_a_constant_number_of_queries(
    stage: TournamentHarness, django_assert_max_num_queries, entries: int
) -> None:
    tournament = stage.start_tournament(entries, parallel=2)
    with django_assert_max_num_queries(55):  # 21 of these estimate the end
        assert Client().get(reverse("tournament", args=[tournament.pk])).status_code == 200


def test_crosstable_is_shown_before_the_first_result(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    entries = stage.enter_bots(tournament, 3)
    assert snapshot(tournament.pk)["head_to_head"] == {str(entry.pk): {} for entry in entries}
    assert 'id="head-to-head"' in Client().get(reverse("tournament", args=[tournament.pk])).content.decode()


@pytest.mark.long
def test_snapshot_is_computed_once_per_event(
    stage: TournamentHarness, long_tournament: Tournament, django_assert_max_num_queries
) -> None:
    address = reverse("tournament-snapshot", args=[long_tournament.pk])
    first = Client().get(address).json()
    computed = snapshot(long_tournament.pk)
    for one in (shown := {**first, "progress": {**first["progress"]}}), computed:
        del one["progress"]["ends_at"]  # estimated at the time of each computation
    assert shown == computed
    with django_assert_max_num_queries(3):  # permissions and the number of the newest event
        assert Client().get(address).json() == first
    assert Client().get(address, {"standings": "2"}).json()["page"] == 2
    assert Client().get(address, {"standings": "none"}).json()["page"] == 1
    stage.begin_match(stage.matches(long_tournament, MatchStatus.QUEUED)[0])
    assert Client().get(address).json()["seq"] > first["seq"]
