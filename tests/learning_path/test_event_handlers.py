"""People reach rungs by results that count, and a rebuild from stored matches gives the same rungs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from arena.accounts.models import User
from arena.accounts.services import house_account
from arena.core.referee.faults import FaultKind
from arena.games.registry import GAMES
from arena.games.sites import SITES
from arena.learning_path import event_handlers
from arena.learning_path.models import ReachedRung
from arena.learning_path.queries import game_path, reached_paths
from arena.learning_path.rungs import PASSED_CHECK, boss_names, extra_opponent_names, rung_codes
from arena.matches.domain_events import ResultStored
from arena.matches.models import Match, MatchStatus, Purpose, Seat
from arena.submissions.domain_events import VersionActivated
from arena.submissions.house import house_drafts
from arena.submissions.models import Bot
from tests.factories import bot, person, queued_match

pytestmark = pytest.mark.django_db
GAME = "reversi"


def boss(code: str, game: str = GAME) -> Bot:
    made = bot(house_account(), game, house_drafts(game)[code].name)
    Bot.objects.filter(pk=made.pk).update(is_house=True)
    return made


def store_result(bots: list[Bot], ranks: list[int], purpose: Purpose = Purpose.SCRIMMAGE, **columns: object) -> Match:
    """Store a result and announce it as the worker does."""
    match = queued_match(bots, bots[0].game, purpose)
    Match.objects.filter(pk=match.pk).update(
        status=MatchStatus.FINISHED, finished_at=timezone.now(), termination="completed", **columns
    )
    for index, rank in enumerate(ranks):
        Seat.objects.filter(match=match, index=index).update(rank=rank)
    event_handlers.on_result(ResultStored(match.pk, match.game, purpose))
    return match


def reached_rungs(user: User) -> set[str]:
    return set(ReachedRung.objects.filter(person=user).values_list("rung", flat=True))


def test_every_boss_is_a_house_bot_of_its_game() -> None:
    for game, site in SITES.items():
        assert len(boss_names(game)) == len(site.bosses) == len(set(site.bosses))
        assert not site.bosses or rung_codes(game)[0] == PASSED_CHECK


def test_extra_opponents_are_house_bots_other_than_bosses_and_fit_the_table() -> None:
    for game, site in SITES.items():
        assert len(extra_opponent_names(game)) == len(set(site.extra_opponents))
        assert not set(site.extra_opponents) & set(site.bosses)
        assert 2 + len(site.extra_opponents) <= GAMES[game].max_seats
    assert SITES["golden_point"].extra_opponents


def test_finishing_ahead_of_the_boss_reaches_its_rung_once() -> None:
    ann = person("ann")
    mine, corners = bot(ann), boss("corners")
    first = store_result([corners, mine], [2, 1])
    store_result([mine, corners], [1, 2])
    row = ReachedRung.objects.get(person=ann)
    assert (row.game, row.rung, row.match_id) == (GAME, "corners", first.pk)
    assert not ReachedRung.objects.exclude(person=ann).exists(), "the house reaches nothing"


def test_everyone_ranked_ahead_of_a_boss_reaches_its_rung() -> None:
    ann, ben = person("ann"), person("ben")
    table = [bot(ann, "golden_point"), boss("random_pick", "golden_point"), bot(ben, "golden_point")]
    table.append(boss("trend", "golden_point"))
    store_result(table, [1, 2, 3, 4], Purpose.TOURNAMENT)
    assert reached_rungs(ann) == {"random_pick", "trend"}
    assert reached_rungs(ben) == {"trend"}


@pytest.mark.parametrize(
    ("ranks", "purpose", "columns"),
    [
        ([2, 1], Purpose.SCRIMMAGE, {}),
        ([1, 1], Purpose.SCRIMMAGE, {}),
        ([1, 2], Purpose.VERSION_TEST, {}),
        ([1, 2], Purpose.DUEL, {}),
        ([1, 2], Purpose.TOURNAMENT, {"withheld": True}),
        ([1, 2], Purpose.SCRIMMAGE, {"termination": "time_limit"}),
        ([1, 2], Purpose.SCRIMMAGE, {"status": MatchStatus.VOID}),
    ],
)
def test_losses_ties_and_ineligible_matches_do_not_count(
    ranks: list[int], purpose: Purpose, columns: dict[str, object]
) -> None:
    ann = person("ann")
    match = queued_match([bot(ann), boss("corners")], GAME, purpose)
    values: dict[str, object] = {"status": MatchStatus.FINISHED, "finished_at": timezone.now(), **columns}
    Match.objects.filter(pk=match.pk).update(**values)
    for index, rank in enumerate(ranks):
        Seat.objects.filter(match=match, index=index).update(rank=rank)
    event_handlers.on_result(ResultStored(match.pk, GAME, purpose))
    event_handlers.rebuild()
    assert "corners" not in reached_rungs(ann)


def test_win_with_a_fault_does_not_count() -> None:
    ann = person("ann")
    match = store_result([bot(ann), boss("corners")], [1, 2], Purpose.VERSION_TEST)
    Match.objects.filter(pk=match.pk).update(purpose=Purpose.LADDER)
    Seat.objects.filter(match=match, index=0).update(fault=FaultKind.TIMEOUT)
    event_handlers.on_result(ResultStored(match.pk, GAME, Purpose.LADDER))
    assert reached_rungs(ann) == set()


def test_first_activated_version_reaches_the_first_rung() -> None:
    ann = person("ann")
    mine = bot(ann)
    assert mine.active_id is not None
    event_handlers.on_version_activated(VersionActivated(mine.pk, mine.active_id, is_first=True))
    house = boss("corners")
    event_handlers.on_version_activated(VersionActivated(house.pk, house.active_id or 0, is_first=True))
    assert list(ReachedRung.objects.values_list("person", "rung")) == [(ann.pk, PASSED_CHECK)]


def test_rebuild_gives_the_same_rungs() -> None:
    ann, ben = person("ann"), person("ben")
    mine, other, corners, weakest = bot(ann), bot(ben), boss("corners"), boss("random_move")
    for one in (mine, other):
        event_handlers.on_version_activated(VersionActivated(one.pk, one.active_id or 0, is_first=True))
    store_result([mine, corners], [1, 2], Purpose.LADDER)
    store_result([other, weakest], [1, 2], Purpose.TOURNAMENT)
    store_result([mine, corners], [1, 2])
    columns = ("person", "game", "rung", "match")
    before = set(ReachedRung.objects.values_list(*columns))
    assert len(before) == 4
    call_command("rungs", "rebuild", verbosity=0)
    assert set(ReachedRung.objects.values_list(*columns)) == before


def test_result_without_a_boss_costs_one_query() -> None:
    match = queued_match([bot(), bot()], GAME, Purpose.LADDER)
    boss_names(GAME)
    with CaptureQueriesContext(connection) as queries:
        event_handlers.on_result(ResultStored(match.pk, GAME, Purpose.LADDER))
    assert len(queries) == 1


def test_next_rung_is_the_first_missing_one() -> None:
    ann = person("ann")
    boss("random_move")
    store_result([bot(ann), boss("corners")], [1, 2])
    path = game_path(GAME, ann)
    assert path is not None
    assert [rung.code for rung in path.rungs if rung.reached_at] == ["corners"]
    assert path.next_rung is not None
    assert path.next_rung.code == PASSED_CHECK
    assert [shown.reached_count for shown in reached_paths("ann", person("ben"))] == [1]
    assert reached_paths("ben", ann) == []


@pytest.mark.long
def test_one_click_challenges_the_boss(
    client: Client, django_capture_on_commit_callbacks: Callable[..., object]
) -> None:
    ann = person("ann")
    mine, other, weakest = bot(ann), bot(person("ben")), boss("random_move")
    address = f"/path/{GAME}/random_move/challenge/"
    assert client.get("/path/").status_code == 200
    assert client.post(address, {"bot": mine.pk}).status_code == 302
    assert not Match.objects.exists(), "visitors sign in first"
    client.force_login(ann)
    assert "Challenge" in client.get("/path/").content.decode()
    for wrong in (other.pk, weakest.pk, "", "x"):
        assert client.post(address, {"bot": wrong}).status_code == 404
    assert client.post("/path/reversi/passed-check/challenge/", {"bot": mine.pk}).status_code == 404
    assert client.post("/path/chess/random_move/challenge/", {"bot": mine.pk}).status_code == 404
    answer = client.post(address, {"bot": mine.pk})
    match = Match.objects.get()
    assert answer.headers["Location"] == f"/matches/{match.pk}/"
    assert match.purpose == Purpose.SCRIMMAGE
    assert {seat.submission_id for seat in match.seats.all()} == {mine.active_id, weakest.active_id}
    store_result([mine, weakest], [1, 2])
    assert "Beat Random move" in client.get("/people/ann/").content.decode()
    Bot.objects.filter(pk=weakest.pk).update(retired=True)
    assert client.post(address, {"bot": mine.pk}).headers["Location"] == "/path/"
    assert Match.objects.count() == 2
