"""Measure a site with a million ladder matches of 5,000 bots over a year: ratings, pages and the ladder's next claim.

The matches are written straight into the tables (``bench.season``), into a SQLite file of the part's own, or into
``MILLION_DATABASE_URL``, an empty PostgreSQL database. ``MILLION_MATCHES`` and ``MILLION_BOTS`` make the site smaller.
Times are processor time of this process (on PostgreSQL: elapsed time), so that a busy machine shows nearly the same.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable

from bench import games
from bench.measure import Sample
from bench.season import Season, write
from bench.table import Beside, Goal, Row, Section

MATCHES = int(os.environ.get("MILLION_MATCHES", "1000000"))
BOTS = int(os.environ.get("MILLION_BOTS", "5000"))
LOOKS = 5
NEW = 10


def run() -> Section:
    _set_up()
    clock = time.perf_counter if os.environ.get("MILLION_DATABASE_URL") else time.process_time
    generated, season = _timed(lambda: write(games.pair().game, BOTS, MATCHES), clock)
    from arena.ratings.services import rebuild, refresh

    rebuilt, _ = _timed(lambda: rebuild(season.game), clock)
    idle = Sample(tuple(_timed(lambda: refresh(season.game), clock)[0] for _ in range(LOOKS)))
    refreshes = []
    for number in range(LOOKS):
        _play_again(season, number)
        refreshes.append(_timed(lambda: refresh(season.game), clock)[0])
    again, apart = _rebuild_apart(season, clock)
    nothing = Beside("floor: a refresh that finds nothing new", idle)
    different = "" if apart <= 1e-6 else f"rebuilt ratings are {apart:.1e} points apart"
    rows = (
        Row(f"ratings after {NEW} new matches", Sample(tuple(refreshes)), (nothing,), goal=Goal(2.0)),
        Row("all ratings anew, day by day", Sample((rebuilt, again)), goal=Goal(60.0), failure=different),
        *_pages(season, clock),
        Row("claim the next ladder match", _claims(season, clock), goal=Goal(0.005)),
    )
    return Section(
        f"{MATCHES:,} matches of {BOTS:,} bots",
        rows,
        (
            f"Written in {generated:.0f} s. Rebuilt ratings differ by {apart:.1e} points at most.",
            "Times are elapsed time." if clock is time.perf_counter else "Times are processor time.",
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

    settings.DEBUG = False  # or every query is kept
    settings.ALLOWED_HOSTS = ["*"]
    logging.disable(logging.WARNING)
    call_command("migrate", verbosity=0)
    stream.use(MemoryBroker())


def _timed(work: Callable[[], object], clock: Callable[[], float]) -> tuple[float, object]:
    began = clock()
    found = work()
    return clock() - began, found


def _play_again(season: Season, number: int) -> None:
    """Finish some more matches, with the seats of earlier ones, after the last one."""
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


def _rebuild_apart(season: Season, clock: Callable[[], float]) -> tuple[float, float]:
    """Seconds of a rebuild, and by how many points it changes what the refreshes had stored."""
    from arena.ratings.models import Rating
    from arena.ratings.services import rebuild

    def stored() -> dict[int, tuple[float, float]]:
        rows = Rating.objects.filter(game=season.game).values_list("submission_id", "value", "deviation")
        return {submission: (value, deviation) for submission, value, deviation in rows}

    before = stored()
    seconds, _ = _timed(lambda: rebuild(season.game), clock)
    after = stored()
    apart = max(abs(one - other) for key in after for one, other in zip(before[key], after[key], strict=True))
    return seconds, apart if before.keys() == after.keys() else float("inf")


def _pages(season: Season, clock: Callable[[], float]) -> list[Row]:
    """Every page and list that grows with matches or bots, to a visitor and to an author of bots."""
    from django.test import Client
    from django.urls import reverse

    from arena.submissions.models import Bot

    bot = Bot.objects.select_related("owner").get(pk=season.bots[21])
    game, matches = season.game, reverse("match-list")
    addresses = {
        "home page": "/",
        "leaderboard": reverse("leaderboard", args=[game]),
        "leaderboard, its last page": reverse("leaderboard", args=[game]) + "?page=9999",
        "leaderboard, a search": reverse("leaderboard", args=[game]) + "?text=bot+12",
        "ladder": reverse("ladder", args=[game]),
        "bots": reverse("bot-list"),
        "bots, a search": reverse("bot-list") + "?text=bot+99",
        "a bot": reverse("bot", args=[bot.pk]),
        "a person": reverse("profile", args=[bot.owner.username]),
        "matches": matches,
        "matches, half a year ago": f"{matches}?before={season.last_match - MATCHES // 2}",
        "matches of a game": f"{matches}?game={game}",
        "matches of a game that nobody plays": f"{matches}?game={games.table().game}",
        "matches, void ones": f"{matches}?status=void",
        "matches of the ladder": f"{matches}?purpose=ladder",
        "matches of tournaments": f"{matches}?purpose=tournament",
        "matches of a bot": f"{matches}?bot={bot.pk}",
        "matches of a person": f"{matches}?person={bot.owner.username}",
        "a match": reverse("match", args=[season.last_match]),
        "tournaments": "/tournaments/",
        "API: matches": "/api/v1/matches",
        "API: matches of a person": f"/api/v1/matches?person={bot.owner.username}",
        "API: leaderboard": f"/api/v1/leaderboards/{game}",
        "API: bots": "/api/v1/bots",
        "API: rating history": f"/api/v1/bots/{bot.pk}/ratings",
    }
    visitor, author = Client(), Client()
    author.force_login(bot.owner)
    floor = {client: _looks(client, "/api/v1/games", clock) for client in (visitor, author)}
    return [
        Row(
            f"{name}, {who}",
            _looks(client, address, clock),
            (Beside("floor: the list of games", floor[client]),),
            goal=Goal(0.100),
        )
        for name, address in addresses.items()
        for who, client in (("visitor", visitor), ("author", author))
    ]


def _looks(client: object, address: str, clock: Callable[[], float]) -> Sample:
    found = []
    for _ in range(LOOKS + 1):
        began = clock()
        answer = client.get(address)  # type: ignore[attr-defined]
        found.append(clock() - began)
        if answer.status_code != 200:
            raise RuntimeError(f"{address} answers {answer.status_code}")
    return Sample(tuple(found[1:]))


def _claims(season: Season, clock: Callable[[], float]) -> Sample:
    """Seconds that a worker takes to claim a queued ladder match, among as many as a large site has waiting."""
    from arena.matches.models import Match, MatchStatus, Purpose, Seat
    from arena.matches.services import claims_in_turn

    waiting = [season.last_match - number for number in range(40)]
    seats = list(Seat.objects.filter(match__in=waiting).order_by("match_id", "index"))
    queued = Match.objects.bulk_create(
        Match(game=season.game, seed=pk, purpose=Purpose.LADDER, status=MatchStatus.QUEUED) for pk in waiting
    )
    for number, seat in enumerate(seats):
        seat.pk, seat.match, seat._state.adding = None, queued[number // 2], True
    Seat.objects.bulk_create(seats)
    claim = claims_in_turn(queued[0].pk, worker="bench", games=lambda kind: [season.game])
    found = []
    for _ in range(30):
        seconds, lease = _timed(claim, clock)
        if lease is None:
            raise RuntimeError("no ladder match was claimed")
        found.append(seconds)
    return Sample(tuple(found))
