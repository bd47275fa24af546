"""Queries run by pages and workers use indexes: none scans all matches, seats or rating points of a large site.

Until ANALYZE has run, SQLite does not know the sizes of tables and plans from the indexes alone, so a small site shows
the plans of a large one.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.utils import timezone

from arena.accounts.models import Role, User
from arena.games.registry import GAMES
from arena.games.reversi.analysis import automatic
from arena.matches import listing, retention, services
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.retention import Retention
from arena.platform.jobs.stalled import StallDetector
from arena.ratings import ladder, spare_capacity
from arena.ratings.services import rebuild, refresh
from arena.submissions.models import Bot
from bench.season import Season, write_season
from bench.urls import page_urls
from tests.factories import person

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="reads SQLite's plans"),
]
GROWING: Final = ("matches_match", "matches_seat", "matches_matchrecord", "matches_reducedmatch", "ratings_ratingpoint")
# Full scans that are allowed: a part of the query, and the reason.
EXCEPTIONS: Final = {
    'FROM "matches_match" ORDER BY 1 DESC LIMIT': "the newest id: one step from the end of the table",
    'FROM "matches_match" ORDER BY "matches_match"."id" DESC': "a page of the admin site, whole on a small one",
    'SELECT COUNT(*) AS "__count" FROM "matches_match"': "the admin site counts: an index, for operators alone",
}
# The newest matches that a reader may see, read from the end of the table until the page is full.
NEWEST_FIRST: Final = re.compile(r'SELECT "matches_match"."id" AS "pk" FROM "matches_match" WHERE .* DESC LIMIT \d+$')


@dataclass
class QueryPlans:
    """The queries that were run, with their plans.

    ``seen``: the SQL of every query; ``scans``: every full scan of a table, with its query.
    """

    seen: set[str] = field(default_factory=set)
    scans: list[str] = field(default_factory=list)
    steps: list[tuple[str, list[str]]] = field(default_factory=list)  # all queries with their plans

    def record(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        """Run a query for ``connection.execute_wrapper``; record the plan of each query once."""
        if sql.lstrip().startswith(("SELECT", "UPDATE", "DELETE")) and sql not in self.seen:
            self.seen.add(sql)
            execute(f"EXPLAIN QUERY PLAN {sql}", params, many, context)
            steps = [plan for *_, plan in context["cursor"].fetchall()]
            self.steps.append((sql, steps))
            self.scans += [f"{plan}: {sql}" for plan in steps if _is_scan(plan, sql)]
        return execute(sql, params, many, context)


def _is_scan(plan: str, sql: str) -> bool:
    found = re.match(r"SCAN (\w+)", plan) or _is_search_for_seats(plan, sql)
    if found is None:
        return False
    if "USING COVERING INDEX match_turns" in plan:  # the last turn, at one end of an index
        return False
    aliases = {alias: table for table, alias in re.findall(r'"(\w+)" ([A-Z]\d+)\b', sql)}
    if aliases.get(found[1], found[1]) not in GROWING:
        return False
    return not NEWEST_FIRST.match(sql) and not any(part in sql for part in EXCEPTIONS)


def _is_search_for_seats(plan: str, sql: str) -> re.Match[str] | None:
    """Recognize a plan that goes through nearly all matches to find those with certain seats."""
    if '"matches_seat"' not in sql:
        return None
    return re.match(
        r"SEARCH (matches_match) USING (?:COVERING )?INDEX \w+ \((?:(?:game|status|purpose)=\?(?: AND )?)+\)", plan
    )


@contextmanager
def explain_queries() -> Iterator[QueryPlans]:
    plans = QueryPlans()
    with connection.execute_wrapper(plans.record):
        yield plans


@pytest.fixture
def season() -> Season:
    """Store sixty finished ladder matches between six bots, and compute their ratings."""
    made = write_season("reversi", bots=6, matches=60)
    rebuild(made.game)
    return made


def _client(person: User | None) -> Client:
    client = Client()
    if person is not None:
        client.force_login(person)
    return client


def _lists(season: Season) -> list[str]:
    name = User.objects.get(bots=season.bots[0]).username
    narrowed = (f"bot={season.bots[0]}", f"person={name}", f"game={season.game}", "game=suit_pairs", "")
    also = ("", "status=void", "purpose=tournament", "purpose=ladder&status=finished", "before=30")
    return [f"/matches/?{one}&{more}" for one in narrowed for more in also]


@pytest.mark.stack  # requests hundreds of pages
def test_no_page_scans_all_matches(season: Season) -> None:
    bot = Bot.objects.select_related("owner").get(pk=season.bots[0])
    places = {
        "match_id": season.last_match,
        "bot_id": bot.pk,
        "submission_id": bot.active_id,
        "key": bot.pk,
        "username": bot.owner.username,
        "game": season.game,
        "index": 0,
        "seat": 0,
        "version_id": bot.active_id,
    }
    found = {name: path for name, path in page_urls(places).items() if not name.endswith("_add")}
    assert len(found) > 90
    operator = person(role=Role.ORGANIZER, is_staff=True)
    User.objects.filter(pk=operator.pk).update(is_superuser=True)
    shown = 0
    with explain_queries() as plans:
        for reader, paths in (
            (None, _lists(season)),
            (bot.owner, [*_lists(season), *found.values()]),
            (operator, found.values()),
        ):
            client = _client(reader)
            shown += sum(client.get(path).status_code == 200 for path in paths)
    assert plans.scans == []
    assert shown > 150
    assert len(plans.seen) > 150


@pytest.mark.long
@pytest.mark.parametrize("person", ["", "season0-0"])
def test_filtered_match_lists_are_read_by_id(season: Season, person: str) -> None:
    """Filtered lists need no sorting, and a list for one person reads only that person's matches."""
    with explain_queries() as plans:
        for game, status, purpose in itertools.product(
            ("", season.game), ("", "finished", "void"), ("", "ladder", "tournament")
        ):
            listing.match_page(listing.MatchFilter(game, status, purpose, person=person), AnonymousUser(), 25)
    lists = [steps for sql, steps in plans.steps if NEWEST_FIRST.match(sql) and "LIMIT 1" not in sql]
    assert len(lists) >= 6
    for steps in lists:
        if person:
            assert any("rowid=?" in step or "id=?" in step for step in steps), steps
        else:
            assert not any("TEMP B-TREE" in step for step in steps), steps


@pytest.mark.long
def test_no_background_job_scans_all_matches(season: Season) -> None:
    now = timezone.now()
    spare = spare_capacity.SpareCapacity(False, False, False, dict.fromkeys(GAMES, 2), frozenset(GAMES))
    with explain_queries() as plans:
        spare_capacity.measure_spare_capacity(now)
        assert ladder.tick(spare, now=now, rng=random.Random(1))
        [first, *_] = Match.objects.filter(purpose=Purpose.LADDER, status=MatchStatus.QUEUED).order_by("pk")
        lease = services.claims_in_turn(first.pk, worker="w", games=lambda kind: list(GAMES))()
        assert lease is not None
        services.sweep(StallDetector(services.JOBS), now=now)
        refresh(season.game)
        automatic.next_match(now=now)
    assert plans.scans == []


@pytest.mark.long
def test_claim_uses_an_index_even_after_analyze(season: Season) -> None:
    """A claim uses an index even after ANALYZE.

    SQLite then expects as many running matches as finished ones, so it might choose to scan the whole table.
    """
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    author = Bot.objects.values_list("owner_id", flat=True).get(pk=season.bots[0])
    [made] = services.create_matches(
        [services.MatchRequest(season.game, {}, {}, 1, Purpose.LADDER, (None, None), author)]
    )
    with explain_queries() as plans:
        services.claims_in_turn(made, worker="w", games=lambda kind: [season.game])()
    assert [scan for scan in plans.scans if "party_runs" in scan] == []


@pytest.mark.long
def test_retention_starts_with_the_oldest_records(season: Season) -> None:
    """Due records come first, so that records to keep are read once per run instead of once per batch."""
    rows = retention.due_records(Retention(30, move=False), now=timezone.now())
    sql, params = rows.values_list("match_id")[:200].query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
        plans = [plan for *_, plan in cursor.fetchall()]
    assert plans
    assert not any("TEMP B-TREE" in plan for plan in plans), plans
