"""Measure tournaments: whether long ones slow down, and how fast a large tournament's page responds.

There is no jail and no worker process: the worker's code plays the matches with bots in this process, so that only the
arena's own work per result is measured. The database is the benchmark's own SQLite file.
"""

from __future__ import annotations

import logging
import os
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from bench import fixtures, games
from bench.measure import Sample, measure_interleaved, timed_subject
from bench.table import Comparison, Goal, GoalQuantity, Row, Section

if TYPE_CHECKING:
    from arena.tournaments.models import Entry

BOTS, ENCOUNTER = 100, 2
THOUSAND, CHUNK = 1_000, 100
ENTRIES, MATCHES = 500, 100_000
LOOKS, LOOKS_SECONDS = 12, 60
PAGE_GOAL = Goal(30, GoalQuantity.RATIO)  # about 100 ms
# If a result's cost were proportional to the number of earlier results, the ratio would be about 9.
ROUND_ROBIN_GOAL = Goal(1.25, GoalQuantity.RATIO)


def run() -> Section:
    with _arena_without_broker():
        long, matches, seconds = _play_round_robin()
        pages = _measure_large_page()
    baseline = (Comparison("baseline: the API's list of games, on the same site", pages["baseline"]),)
    return Section(
        "tournaments",
        (
            Row(
                f"CPU time of 100 results, the last thousand of {matches} in a round robin of {BOTS}",
                Sample(tuple(long[-THOUSAND // CHUNK :])),
                (Comparison("baseline: 100 results of the first thousand", Sample(tuple(long[: THOUSAND // CHUNK]))),),
                ROUND_ROBIN_GOAL,
            ),
            Row(f"standings page, {ENTRIES} entries, {MATCHES} matches", pages["page"], baseline, PAGE_GOAL),
            Row(f"its snapshot, {ENTRIES} entries, {MATCHES} matches", pages["snapshot"], baseline, PAGE_GOAL),
        ),
        (f"The round robin took {seconds:.0f} s, including claims, records, standings and events.",),
    )


@contextmanager
def _arena_without_broker() -> Iterator[None]:
    """Set up an arena without a broker or workers; its events are discarded."""
    os.environ |= {"ARENA_VAR": os.environ["TMPDIR"], "DJANGO_SETTINGS_MODULE": "arena.settings", "DEBUG": "1"}
    for name in ("DATABASE_URL", "REDIS_URL", "ARENA_ENV"):
        os.environ.pop(name, None)
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from arena.platform.live import stream
    from arena.platform.live.testing import MemoryBroker

    settings.DEBUG = False  # otherwise every query is kept in memory
    settings.ALLOWED_HOSTS = ["*"]
    logging.disable(logging.WARNING)
    call_command("migrate", verbosity=0)

    class NullStore(MemoryBroker):
        """An event store that discards everything."""

        def publish(self, *args: object, **kwargs: object) -> None:
            return None

    stream.use_store(NullStore())
    yield
    stream.use_store(None)


def _create_tournament(count: int, game: str, settings: Mapping[str, object]) -> int:
    """Create a tournament with this many entries, ready to start; return its id."""
    from django.utils import timezone

    from arena.accounts.models import Role
    from arena.submissions.models import Bot, Submission, SubmissionStatus
    from arena.tournaments.models import Entry, Tournament, TournamentStatus
    from arena.tournaments.services import creation
    from arena.tournaments.services.creation import TournamentPlan
    from tests import factories

    now = timezone.now()
    organizer = factories.person(role=Role.ORGANIZER)
    limits: dict[str, object] = {"move_seconds": 5.0, "start_seconds": 10.0, "illegal_answers": 3, "pace_seconds": 0.0}
    plan = TournamentPlan(
        name="Bench",
        game=game,
        format="round_robin",
        deadline=now,
        starts_at=now,
        settings=dict(settings),
        limits=limits,
        matches_per_encounter=ENCOUNTER,
    )
    pk = creation.create(organizer, plan, rng=random.Random(1))
    owner = factories.person()
    bots = Bot.objects.bulk_create(Bot(owner=owner, game=game, name=f"bench {pk} {n}") for n in range(count))
    passed: dict[str, Any] = {"number": 1, "filename": "main.py", "size": 10, "status": SubmissionStatus.PASSED}
    uploads = Submission.objects.bulk_create(
        Submission(bot=bot, sha256=f"{pk:032x}{bot.pk:032x}", **passed) for bot in bots
    )
    Entry.objects.bulk_create(
        Entry(tournament_id=pk, bot=bot, submission=upload) for bot, upload in zip(bots, uploads, strict=True)
    )
    Tournament.objects.filter(pk=pk).update(status=TournamentStatus.FROZEN)
    return pk


def _play_round_robin() -> tuple[list[float], int, float]:
    """Return the CPU seconds per hundred results, the number of results, and the total elapsed seconds.

    Minutes pass between the first and the last results, so elapsed times would also reflect changes in the machine's
    other load.
    """
    from django.utils import timezone

    from arena.core.referee.clock import SystemClock
    from arena.core.referee.players import Player
    from arena.matches.models import MatchStatus
    from arena.matches.playing import ClaimedMatch, play
    from arena.tournaments.models import Pairing, Tournament
    from arena.tournaments.rounds import reconciliation

    folder = fixtures.create_bot_folder("instant", games.table_workload().bot())

    def seat_players(job: ClaimedMatch, stack: ExitStack) -> Sequence[Player]:
        return [fixtures.in_process_player(folder) for _ in job.submissions]

    pk = _create_tournament(BOTS, games.table_workload().game, games.table_workload().brief)
    began = time.perf_counter()
    reconciliation.start(pk, now=timezone.now())
    chunks: list[float] = []
    done, since = 0, time.process_time()
    while Tournament.objects.get(pk=pk).status == "running":
        queued = Pairing.objects.filter(tournament_id=pk, ended_at=None, match__status=MatchStatus.QUEUED)
        for match_id in list(queued.order_by("pk").values_list("match_id", flat=True)):
            if play(match_id or 0, worker="bench", seating=seat_players, clock=SystemClock()):
                done += 1
                if done % CHUNK == 0:
                    now = time.process_time()
                    chunks.append(now - since)
                    since = now
    return chunks, done, time.perf_counter() - began


def _measure_large_page() -> dict[str, Sample]:
    """Return the response times, in seconds, of the tournament page, its snapshot, and a baseline request."""
    from django.test import Client
    from django.urls import reverse

    pk = _create_tournament(ENTRIES, games.pair_workload().game, games.pair_workload().settings)
    _fill_tournament(pk)
    client = Client()

    def visit(address: str) -> None:
        answer = client.get(address)
        if answer.status_code != 200:
            raise RuntimeError(f"{address} returned {answer.status_code}")

    addresses = {
        "baseline": "/api/v1/games",
        "page": reverse("tournament", args=[pk]),
        "snapshot": reverse("tournament-snapshot", args=[pk]),
    }
    subjects = {name: timed_subject(partial(visit, address)) for name, address in addresses.items()}
    return measure_interleaved(subjects, LOOKS, seconds=LOOKS_SECONDS, warm_up=3)


def _fill_tournament(pk: int) -> None:
    """Store finished matches, round by round, with one match per encounter."""
    from django.utils import timezone

    from arena.core.ranking.pairing.berger import berger_round
    from arena.tournaments.models import Entry, Standing, Tournament
    from arena.tournaments.standings import store

    now = timezone.now()
    rng = random.Random(2)
    entries = list(Entry.objects.filter(tournament_id=pk).order_by("pk"))
    by_id = {entry.pk: entry for entry in entries}
    for seed, entry in enumerate(entries, start=1):
        entry.seed = seed
    Entry.objects.bulk_update(entries, ["seed"], batch_size=200)
    Tournament.objects.filter(pk=pk).update(status="running", started_at=now, paired_at=now, results=MATCHES)
    left = MATCHES
    number = 0
    while left > 0:
        drawn = berger_round(list(by_id), number).pairings[:left]
        number += 1
        left -= len(drawn)
        _store_round(pk, number, [(by_id[first], by_id[second]) for first, second in drawn], rng, now)
    store.refresh(pk, now=now)
    Standing.objects.filter(tournament_id=pk).update(due_at=now + timedelta(days=1))


def _store_round(pk: int, number: int, drawn: Sequence[tuple[Entry, Entry]], rng: random.Random, now: datetime) -> None:
    """Store a round: for each pair of entries, one finished match with a random winner."""
    from arena.matches.models import Match, MatchStatus, Purpose, Seat
    from arena.tournaments.models import Pairing, PairingSeat, TournamentRound

    round_ = TournamentRound.objects.create(tournament_id=pk, number=number)
    took = timedelta(seconds=1)
    played: dict[str, Any] = {"status": MatchStatus.FINISHED, "started_at": now, "finished_at": now + took}
    matches = Match.objects.bulk_create(
        Match(game=games.pair_workload().game, seed=1, purpose=Purpose.TOURNAMENT, **played) for _ in drawn
    )
    pairings = Pairing.objects.bulk_create(
        Pairing(tournament_id=pk, round=round_, match=match, encounter=place, ended_at=now + took * number)
        for place, match in enumerate(matches, start=1)
    )
    seats, scored = [], []
    for pairing, match, pair in zip(pairings, matches, drawn, strict=True):
        winner = rng.randrange(2)
        for index, entry in enumerate(pair):
            rank, points, margin = (1, 1.0, 8.0) if index == winner else (2, 0.0, -8.0)
            figures = {"index": index, "rank": rank, "points": points, "margin": margin}
            seats.append(Seat(match=match, submission_id=entry.submission_id, **figures))
            scored.append(PairingSeat(pairing=pairing, entry=entry, **figures))
    Seat.objects.bulk_create(seats)
    PairingSeat.objects.bulk_create(scored)
