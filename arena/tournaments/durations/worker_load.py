"""The processes that play a game, and the work that competes for them."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from typing import Final

from django.conf import settings
from django.db.models import Count, Min

from arena.celery import JAILED, Queue
from arena.core.duration_estimate import MIN_SAMPLE, blended_mean
from arena.core.fair_share_simulation import Batch, seconds_until_end
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.services import QUEUES
from arena.platform.jobs.fair_share import person_party
from arena.platform.workers import work
from arena.platform.workers.queries import BACKLOG_WINDOW, processes_and_games
from arena.platform.workers.work import Backlog
from arena.submissions.models import Submission, SubmissionStatus
from arena.tournaments.durations.samples import best_sample, planned_match
from arena.tournaments.formats.traits import seats_per_match
from arena.tournaments.models import Entry, Pairing, Standing, TournamentStatus

_OTHER_SECONDS: Final = 5.0  # duration of other work, such as an upload check, if none has ended recently
_MIN_LEFT: Final = 0.25  # share of the mean duration that a running match still needs if it has taken longer


@dataclass(frozen=True, slots=True)
class WorkerLoad:
    """The processes that play a game, and the batches of matches and other jobs that are running or waiting.

    ``others``: older batches first, because each party plays its batches in that order; ``ids``: the tournament of each
    batch, None for other work; ``starts``: when the running matches of each batch started.
    """

    processes: int
    others: tuple[Batch, ...] = ()
    ids: tuple[int | None, ...] = ()
    starts: tuple[tuple[datetime, ...], ...] = ()

    @property
    def matches(self) -> int:
        """Return the number of matches and other jobs that are running or waiting."""
        return sum(batch.matches for batch in self.others)

    def seconds_until_end(self, own: Batch) -> float:
        """Return the time until a new batch is over. Its party plays all its other batches first."""
        return seconds_until_end([*self.others, own], len(self.others), processes=self.processes)


def worker_load(game: str, *, now: datetime) -> WorkerLoad:
    """Return the load of the workers that play a game.

    Runs a constant number of queries for each of their games, and for each tournament with few results.
    """
    processes, others = processes_and_games(Queue.MATCHES, game=game, now=now)
    games = {game, *others}
    running = _running(games)
    work_found = [*_tournaments(games, running, now), *_other_work(games, running, now)]
    return WorkerLoad(
        processes,
        tuple(one.batch for one in work_found),
        tuple(one.tournament for one in work_found),
        tuple(one.starts for one in work_found),
    )


def party_of(organizer_id: int) -> str:
    """Return the party of an organizer's matches in simulations, in which queues take turns."""
    return f"{Queue.MATCHES}:{person_party(organizer_id)}"


def concurrency_limit(parallel: int) -> int:
    """Return how many matches of a tournament are released at a time. ``parallel``: its own limit; 0 for none."""
    return parallel or int(settings.MATCHES_UNDER_WAY)


@dataclass(frozen=True, slots=True)
class _Running:
    """A running match. ``tournament``: None if it belongs to none."""

    purpose: str
    game: str
    started_at: datetime | None
    tournament: int | None


@dataclass(frozen=True, slots=True)
class _Work:
    batch: Batch
    tournament: int | None = None
    starts: tuple[datetime, ...] = ()


def _running(games: Collection[str]) -> list[_Running]:
    rows = Match.objects.filter(status=MatchStatus.RUNNING, game__in=games).order_by("pk")
    return [_Running(*row) for row in rows.values_list("purpose", "game", "started_at", "pairing__tournament")]


def _tournaments(games: Collection[str], running: Collection[_Running], now: datetime) -> Iterator[_Work]:
    """Yield the matches of each running tournament that can continue, the one with the oldest waiting match first."""
    waiting = _waiting_by_tournament()
    rows = Standing.objects.filter(tournament__status=TournamentStatus.RUNNING, tournament__game__in=games)
    standings = rows.select_related("tournament").annotate(entries=Count("tournament__entries"))
    for standing in sorted(standings, key=lambda one: waiting.get(one.tournament_id, _Waiting()).first):
        tournament = standing.tournament
        starts = [one.started_at for one in running if one.tournament == tournament.pk]
        waits = waiting.get(tournament.pk, _Waiting()).matches
        if not starts and not waits:
            continue  # it waits for its organizer, or for its next round
        seconds = _mean_seconds(standing, standing.entries)
        left = standing.total - standing.finished - standing.failed - len(starts)
        batch = Batch(
            party_of(tournament.organizer_id),
            max(left, waits),
            seconds,
            at_once=concurrency_limit(tournament.parallel),
            running=tuple(_seconds_left(seconds, start, now) for start in starts),
        )
        yield _Work(batch, tournament.pk, tuple(start for start in starts if start is not None))


def _mean_seconds(standing: Standing, entries: int) -> float:
    """Return the expected duration of a match; until enough have finished, as estimated before the start.

    The first matches to finish are the short ones, so their mean alone would be too low.
    """
    if standing.mean_seconds is not None and standing.finished >= MIN_SAMPLE:
        return standing.mean_seconds
    tournament = standing.tournament
    bots = Entry.objects.filter(tournament=tournament, seed__isnull=False).values_list("bot", flat=True)
    columns = {name: getattr(tournament, name) for name in ("game", "settings", "limits")}
    planned = planned_match(columns, seats_per_match(tournament.format, tournament.options, max(entries, 1)))
    expected = best_sample(tournament.game, bots=list(bots)).mean_seconds(planned)
    return blended_mean(standing.mean_seconds, standing.finished, expected)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """The waiting matches of a tournament. ``first``: the id of the oldest, which its organizer's party plays first."""

    matches: int = 0
    first: float = math.inf


def _waiting_by_tournament() -> Mapping[int, _Waiting]:
    rows = Pairing.objects.filter(
        tournament__status=TournamentStatus.RUNNING,
        ended_at=None,
        match__status__in=(MatchStatus.PLANNED, MatchStatus.QUEUED),
    )
    counted = rows.order_by().values_list("tournament").annotate(n=Count("pk"), first=Min("match"))
    return {tournament: _Waiting(n, first) for tournament, n, first in counted}


def _other_work(games: Collection[str], running: Collection[_Running], now: datetime) -> Iterator[_Work]:
    """Yield the other work that occupies these processes, such as upload checks and scrimmages.

    Waiting matches of the ladder are left out, because workers take them last.
    """
    backlog = work.backlog(now - BACKLOG_WINDOW)
    submissions = Submission.objects.filter(status=SubmissionStatus.CHECKING, bot__game__in=games).order_by()
    checking = dict(submissions.values_list("bot__game").annotate(n=Count("pk")))
    for kind, game in product(JAILED, sorted(games)):
        found = backlog.get((kind, game), Backlog(kind, game))
        seconds = found.seconds or _OTHER_SECONDS
        waits = 0 if kind in (Queue.MATCHES, Queue.LADDER) else found.waiting
        left = tuple(
            _seconds_left(seconds, one.started_at, now)
            for one in running
            if one.tournament is None and (QUEUES[Purpose(one.purpose)], one.game) == (kind, game)
        )
        if kind == Queue.CHECKS:
            left = (seconds,) * checking.get(game, 0)
        if waits or left:
            yield _Work(Batch(f"{kind}:", waits, seconds, running=left))


def _seconds_left(seconds: float, started_at: datetime | None, now: datetime) -> float:
    elapsed = max(0.0, (now - started_at).total_seconds()) if started_at else 0.0
    return max(seconds - elapsed, seconds * _MIN_LEFT)
