"""Measure a site with a million ladder matches: ratings, every page, claims and background work.

The matches between 5000 bots over a year are written directly to the tables (``bench.season``) in the benchmark's own
SQLite file or in ``MILLION_DATABASE_URL``, an empty PostgreSQL database. ``MILLION_MATCHES`` and ``MILLION_BOTS``
change the size of the site. Times are the CPU times of this process and of the PostgreSQL process that serves it,
because other load hardly affects them; elapsed times are also shown. Each goal is a ratio to a baseline on the same
site and was chosen for a million matches.
"""

from __future__ import annotations

import logging
import os
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from bench import games
from bench.measure import Sample
from bench.season import Season, write_season
from bench.table import Comparison, Goal, GoalQuantity, Row, Section

MATCHES = int(os.environ.get("MILLION_MATCHES", "1000000"))
BOTS = int(os.environ.get("MILLION_BOTS", "5000"))
LOOKS = 5
NEW = 10
WAITING = 40  # ladder matches in the queue, as on a large site
CLAIMS = 30
REFRESH_GOAL = Goal(0.7, GoalQuantity.RATIO)  # about 1.3 s
REBUILD_GOAL = Goal(22, GoalQuantity.RATIO)  # about 40 s
CLAIM_GOAL = Goal(20, GoalQuantity.RATIO)  # about 1.5 ms, on PostgreSQL 5 ms
PAGE_GOAL = Goal(30, GoalQuantity.RATIO)  # about 100 ms


@dataclass(frozen=True, slots=True)
class Timing:
    """CPU time and elapsed time, in seconds."""

    processor: float
    elapsed: float


def run() -> Section:
    """Generate the matches, then measure ratings, pages, claims and background work."""
    _set_up()
    generated, season = _time(lambda: write_season(games.pair_workload().game, BOTS, MATCHES))
    ratings, apart = _measure_ratings(season)
    pages = _measure_pages(season)
    claims = _timing_row(
        "claim the next ladder match", _measure_claims(season), CLAIM_GOAL, baselines=(_measure_row_update(season),)
    )
    return Section(
        f"{MATCHES:,} matches of {BOTS:,} bots",
        (*ratings, *pages, claims, *_measure_periodic_tasks(season)),
        (
            f"Written in {generated.elapsed:.0f} s. Rebuilt ratings differ by {apart:.1e} points at most.",
            "Times are CPU time, including the database. For pages, the table shows the slowest result among visitor, "
            "author and operator.",
        ),
    )


def _set_up() -> None:
    os.environ |= {"ARENA_VAR": os.environ["TMPDIR"], "DJANGO_SETTINGS_MODULE": "arena.settings", "DEBUG": "1"}
    for name in ("DATABASE_URL", "REDIS_URL", "ARENA_ENV"):
        os.environ.pop(name, None)
    if address := os.environ.get("MILLION_DATABASE_URL"):
        os.environ["DATABASE_URL"] = address
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from arena.platform.live import stream
    from arena.platform.live.testing import MemoryBroker

    settings.DEBUG = False  # otherwise every query is kept in memory
    settings.ALLOWED_HOSTS = ["*"]
    settings.API_REQUESTS_AN_HOUR = 10**9
    logging.disable(logging.WARNING)
    call_command("migrate", verbosity=0)
    stream.use_store(MemoryBroker())


def _time(work: Callable[[], Any]) -> tuple[Timing, Any]:
    began, processor = time.perf_counter(), _cpu_seconds()
    found = work()
    return Timing(_cpu_seconds() - processor, time.perf_counter() - began), found


def _cpu_seconds() -> float:
    """Return the CPU seconds of this process and of the local PostgreSQL process that serves it."""
    from django.db import connection

    seconds = time.process_time()
    if connection.vendor == "postgresql":
        connection.ensure_connection()
        server = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")
        seconds += int(server.read_text().split()[0]) / 1e9
    return seconds


def _cpu_sample(times: list[Timing]) -> Sample:
    return Sample(tuple(one.processor for one in times))


def _timing_row(
    what: str,
    times: list[Timing],
    goal: Goal | None = None,
    *,
    baselines: tuple[Comparison, ...] = (),
    failure: str = "",
) -> Row:
    elapsed = Comparison("elapsed", Sample(tuple(one.elapsed for one in times)))
    return Row(what, _cpu_sample(times), (*baselines, elapsed), goal, failure=failure)


def _read_all_results(season: Season) -> None:
    """Read the seats and ranks in all matches, and do nothing else."""
    from arena.matches.models import Seat

    seats = Seat.objects.filter(match__game=season.game).values_list("match_id", "submission_id", "rank")
    for _ in seats.iterator(chunk_size=10_000):
        pass


def _measure_row_update(season: Season) -> Comparison:
    """Measure the least work that a claim needs: changing one row by its key in a transaction."""
    from django.db import transaction
    from django.db.models import F

    from arena.matches.models import Match

    match = Match.objects.filter(pk=season.last_match)

    def update() -> None:
        with transaction.atomic():
            match.update(seed=F("seed"))

    return Comparison(
        "baseline: one row updated in a transaction", _cpu_sample([_time(update)[0] for _ in range(CLAIMS)])
    )


def _add_finished_matches(season: Season, number: int) -> None:
    """Add ``NEW`` finished matches after the last one.

    ``number``: selects the earlier matches from which their seats are copied.
    """
    from arena.matches.models import Match, Seat

    last = Match.objects.get(pk=season.last_match)
    for place in range(NEW):
        match = Match.objects.get(pk=season.last_match - 100 * number - place)
        seats = list(match.seats.order_by("index"))
        match.pk, match.finished_at, match._state.adding = None, last.finished_at, True
        match.save()
        for seat in seats:
            seat.pk, seat.match, seat._state.adding = None, match, True
        Seat.objects.bulk_create(seats)


def _measure_ratings(season: Season) -> tuple[list[Row], float]:
    """Measure refreshes and rebuilds; also return how far the rebuilt ratings differ from the refreshed ones."""
    from arena.ratings.services import rebuild, refresh

    reading = Comparison(
        "baseline: all results read once", _cpu_sample([_time(lambda: _read_all_results(season))[0] for _ in range(2)])
    )
    rebuilt, _ = _time(lambda: rebuild(season.game))
    idle = [_time(lambda: refresh(season.game))[0] for _ in range(LOOKS)]
    nothing = Comparison("baseline: a refresh that finds nothing new", _cpu_sample(idle))
    refreshes = []
    for number in range(LOOKS):
        _add_finished_matches(season, number)
        refreshes.append(_time(lambda: refresh(season.game))[0])
    again, apart = _measure_rebuild(season)
    different = "" if apart <= 1e-6 else f"rebuilt ratings are {apart:.1e} points apart"
    rows = [
        _timing_row(f"ratings after {NEW} new matches", refreshes, REFRESH_GOAL, baselines=(reading, nothing)),
        _timing_row(
            "recompute all ratings, day by day", [rebuilt, again], REBUILD_GOAL, baselines=(reading,), failure=different
        ),
    ]
    return rows, apart


def _measure_rebuild(season: Season) -> tuple[Timing, float]:
    """Measure a rebuild of all ratings, and the largest difference between the rebuilt and the stored ratings."""
    from arena.ratings.models import Rating
    from arena.ratings.services import rebuild

    def stored_ratings() -> dict[int, tuple[float, float]]:
        rows = Rating.objects.filter(game=season.game).values_list("submission_id", "value", "deviation")
        return {submission: (value, deviation) for submission, value, deviation in rows}

    before = stored_ratings()
    took, _ = _time(lambda: rebuild(season.game))
    after = stored_ratings()
    apart = max(abs(one - other) for key in after for one, other in zip(before[key], after[key], strict=True))
    return took, apart if before.keys() == after.keys() else float("inf")


def _measure_pages(season: Season) -> list[Row]:
    """Measure every page and list on the site; each row shows the reader for whom the page is slowest."""
    from django.test import Client

    from arena.accounts.models import Role, User
    from arena.submissions.models import Bot
    from bench import urls
    from bench.personal_data import add_personal_data

    bot = Bot.objects.select_related("owner").get(pk=season.bots[21])
    places = add_personal_data(season, bot)
    operator = User.objects.create_superuser("operator", "operator@example.org", role=Role.ORGANIZER)
    readers = {"visitor": Client(), "author": Client(), "operator": Client()}
    readers["author"].force_login(bot.owner)
    readers["operator"].force_login(operator)
    found = urls.page_urls(places)
    found |= urls.filtered_list_urls(
        season.game, games.table_workload().game, bot.pk, bot.owner.username, season.last_match - MATCHES // 2
    )
    baseline = Comparison(
        "baseline: the list of games", _cpu_sample(_measure_repeat_visits(readers["visitor"], "/api/v1/games"))
    )
    rows = [_measure_page(name, path, readers, baseline) for name, path in found.items()]
    return [row for row in rows if row is not None]


def _measure_page(name: str, path: str, readers: Mapping[str, Any], baseline: Comparison) -> Row | None:
    """Measure the page at ``path`` for each reader, and return the row of the reader for whom it is slowest.

    Return None for redirects and for views that do not accept GET.
    """
    seen = {who: _measure_repeat_visits(client, path) for who, client in readers.items()}
    shown = {who: times for who, times in seen.items() if times}
    if not shown:
        return None
    who = max(shown, key=lambda one: _cpu_sample(shown[one]).median)
    return _timing_row(f"{name}, {who}", shown[who], PAGE_GOAL, baselines=(baseline,))


def _measure_repeat_visits(client: Any, path: str) -> list[Timing]:
    """Measure repeat visits, excluding the first visit; return an empty list if the first response is not a page."""
    if client.get(path).status_code != 200:
        return []
    return [_time(lambda: client.get(path))[0] for _ in range(LOOKS)]


def _queue_matches(season: Season) -> list[int]:
    from arena.matches.models import Match, MatchStatus, Purpose, Seat

    like = [season.last_match - number for number in range(WAITING)]
    seats = list(Seat.objects.filter(match__in=like).order_by("match_id", "index"))
    queued = Match.objects.bulk_create(
        Match(game=season.game, seed=pk, purpose=Purpose.LADDER, status=MatchStatus.QUEUED) for pk in like
    )
    for number, seat in enumerate(seats):
        seat.pk, seat.match, seat._state.adding = None, queued[number // 2], True
    Seat.objects.bulk_create(seats)
    return [match.pk for match in queued]


def _measure_claims(season: Season) -> list[Timing]:
    """Measure how fast a woken worker claims the next ladder match; the first claim is ignored."""
    from arena.matches.services import claims_in_turn

    found = []
    for woken in _queue_matches(season)[: CLAIMS + 1]:
        claim = lambda woken=woken: claims_in_turn(woken, worker="bench", games=lambda kind: [season.game])()  # noqa: E731
        took, lease = _time(claim)
        if lease is None:
            raise RuntimeError("no ladder match was claimed")
        found.append(took)
    return found[1:]


def _measure_periodic_tasks(season: Season) -> list[Row]:
    """Measure how long the periodic tasks take on this site."""
    from django.utils import timezone

    from arena.games.registry import GAMES
    from arena.matches import services
    from arena.matches.losses import recent_losses
    from arena.platform.jobs.stalled import StallDetector
    from arena.ratings import ladder, spare_capacity

    now, rng = timezone.now(), random.Random(1)
    spare = spare_capacity.SpareCapacity(False, False, False, dict.fromkeys(GAMES, 1), frozenset(GAMES))
    work: dict[str, Callable[[], object]] = {
        "sweep of matches": lambda: services.sweep(StallDetector(services.JOBS), now=now),
        "spare capacity of the workers": lambda: spare_capacity.measure_spare_capacity(now),
        "draw the next ladder matches": lambda: ladder.tick(spare, now=now, rng=rng),
        "newest losses, to be analysed": lambda: recent_losses(season.game, since=now - timedelta(days=2), most=500),
    }
    return [_timing_row(name, [_time(one)[0] for _ in range(LOOKS)]) for name, one in work.items()]
