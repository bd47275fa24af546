"""Forecast the duration of a planned tournament.

It is computed from the number of matches, the durations of the game's newest tournament and ladder matches, and the
workers that serve the game. A tournament that starts immediately shares these workers with the running tournaments.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Count, Sum

from arena.celery import Queue
from arena.core.duration_estimate import DurationRange, PlannedMatch, PlayedMatch, estimate_total, limits_of_total
from arena.games.registry import GAMES
from arena.matches.models import RATED, Match, MatchStatus
from arena.platform.workers.queries import processes_for
from arena.tournaments.formats.traits import system_of, traits_of
from arena.tournaments.models import Format, Tournament
from arena.tournaments.rounds.reconciliation import matches_due_by_tournament

_SAMPLE: Final = 100  # how many of a game's newest matches are sampled


@dataclass(frozen=True, slots=True)
class Forecast:
    """The forecast of a tournament's matches and duration for one number of bots.

    ``expected``: None if too few matches of the game have been played. ``permitted``: what the time limits permit.
    """

    bots: int
    matches: int
    expected: DurationRange | None
    permitted: DurationRange


@dataclass(frozen=True, slots=True)
class WorkerCapacity:
    """The worker processes for a game.

    ``others``: for each running tournament, the number of processes that it could use.
    """

    processes: int
    others: tuple[int, ...] = ()

    def expected_concurrency(self, parallel: int) -> float:
        """Return the expected number of concurrent matches of a tournament with this limit (0: unlimited).

        The number may be a fraction, even below 1, but is always positive.
        """
        wanted = min(parallel or self.processes, self.processes)
        return equal_share(max(1, self.processes), wanted or 1, self.others)


def equal_share(supply: float, own: float, others: Sequence[float]) -> float:
    """Return the max-min fair share of ``supply`` for a consumer that demands ``own`` while others demand ``others``.

    No consumer gets more than it demands; the rest is divided equally among the consumers that demand more.
    """
    left, parties = supply, len(others) + 1
    for demand in sorted(others):
        equal = left / parties
        if demand >= equal or own <= equal:
            break
        left -= demand
        parties -= 1
    return min(own, left / parties)


def worker_capacity(game: str, *, shared: bool, now: datetime) -> WorkerCapacity:
    """Return the capacity for a game. Runs one query, or two if it is ``shared`` with running tournaments."""
    return WorkerCapacity(
        processes_for(Queue.MATCHES, game=game, now=now), tuple(matches_due_by_tournament()) if shared else ()
    )


def recent_matches(game: str) -> list[PlayedMatch]:
    """Return the game's newest tournament and ladder matches. Runs one query.

    Matches that lost their worker are left out, because they also waited for another one.
    """
    rows = Match.objects.filter(
        game=game, status=MatchStatus.FINISHED, purpose__in=RATED, turns__gt=0, fence__lte=1
    ).exclude(started_at=None)
    columns = ("settings", "limits", "turns", "started_at", "finished_at", "bots", "thinking")
    counted = rows.annotate(bots=Count("seats"), thinking=Sum("seats__seconds", default=0.0))
    sample = list(counted.order_by("-pk").values_list(*columns)[:_SAMPLE])
    return [
        PlayedMatch(
            turns,
            _most_turns(game, settings),
            max(seats, 1),
            # The spectator delay is not part of the time that bots need, but they think during the delay.
            max((end - start).total_seconds() - limits.get("pace_seconds", 0) * turns, thinking),
        )
        for settings, limits, turns, start, end, seats, thinking in sample
    ]


def _most_turns(game: str, settings: Mapping[str, Any]) -> int:
    rules = GAMES[game]
    return rules.most_turns(rules.settings(settings))


def forecasts(
    columns: Mapping[str, Any],
    bots: Sequence[int],
    *,
    house_bots: int,
    sample: Sequence[PlayedMatch],
    capacity: WorkerCapacity,
) -> list[Forecast]:
    """Return a forecast for each number of bots; ``columns``: the plan's columns."""
    most, limits = _most_turns(columns["game"], columns["settings"]), columns["limits"]
    at_once = capacity.expected_concurrency(columns["parallel"])
    found = []
    for n in bots:
        planned = PlannedMatch(most, _seats_per_match(columns, n), limits["move_seconds"], limits["pace_seconds"])
        matches, rounds = _matches_and_rounds(columns, n, house_bots)
        waves = max(math.ceil(matches / at_once), rounds, 1)
        expected = estimate_total(sample, planned, bots=n, waves=waves)
        found.append(Forecast(n, matches, expected, limits_of_total(planned, waves=waves)))
    return found


def _seats_per_match(columns: Mapping[str, Any], bots: int) -> int:
    """Return how many bots play in each match of a planned tournament with ``bots`` entries."""
    match columns["format"]:
        case Format.TABLE:
            return min(columns["options"].get("seats") or bots, bots)
        case Format.SCORE_ATTACK:
            return min(columns["options"].get("bots_per_match") or 1, bots)
    return 2


def _matches_and_rounds(columns: Mapping[str, Any], bots: int, house_bots: int) -> tuple[int, int]:
    """Return the number of matches, and of the rounds that must be played one after the other."""
    options = dict(columns["options"])
    if columns["format"] == Format.GAUNTLET:
        options["gauntlet_bots"] = options.get("gauntlet_bots") or max(1, house_bots)
    names = ("game", "format", "repeats", "matches_per_encounter")
    planned = Tournament(**{name: columns[name] for name in names}, options=options)
    system = system_of(planned, bots)
    rounds = 1 if traits_of(planned).pairs_ahead else system.rounds(bots)
    return system.encounter_count(bots) * columns["matches_per_encounter"], rounds
