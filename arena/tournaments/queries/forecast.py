"""Forecast the duration of a planned tournament.

It is computed from the number of matches, a sample of durations, and the workers that serve the game. A tournament that
starts immediately also waits for the matches that its workers already have to play.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from arena.celery import Queue
from arena.core.duration_estimate import DurationRange, assumed_range, estimate_total, rounded_up
from arena.core.fair_share_simulation import Batch
from arena.platform.workers.queries import processes_for
from arena.tournaments.durations.samples import Sample, planned_match
from arena.tournaments.durations.worker_load import WorkerLoad, concurrency_limit, party_of, worker_load
from arena.tournaments.formats.traits import seats_per_match, system_of, traits_of
from arena.tournaments.models import Format, Tournament


@dataclass(frozen=True, slots=True)
class Forecast:
    """The forecast of a tournament's matches and duration for one number of bots.

    ``expected``: computed from the sample or, without one, from an assumed time per turn; ``seconds``: the mean until
    the end, which the page of a running tournament also shows (see ``durations.expected_end``). ``permitted``: the
    seconds until the end if all bots use all the time they are allowed.
    """

    bots: int
    matches: int
    expected: DurationRange
    seconds: float
    permitted: float


def load_for_plan(game: str, *, starts_now: bool, now: datetime) -> WorkerLoad:
    """Return the workers for a game; their present load counts only if the tournament starts now."""
    if starts_now:
        return worker_load(game, now=now)
    return WorkerLoad(processes_for(Queue.MATCHES, game=game, now=now))


def forecasts(
    columns: Mapping[str, Any],
    bots: Sequence[int],
    *,
    house_bots: int,
    sample: Sample,
    load: WorkerLoad,
    organizer: int = 0,
) -> list[Forecast]:
    """Return a forecast for each number of bots.

    ``columns``: the plan's columns; ``organizer``: the id of the organizer, whose other matches are played first.
    """
    return [_forecast(columns, n, house_bots, sample, load, organizer) for n in bots]


def _forecast(
    columns: Mapping[str, Any], bots: int, house_bots: int, sample: Sample, load: WorkerLoad, organizer: int
) -> Forecast:
    planned = planned_match(columns, seats_per_match(columns["format"], columns["options"], bots))
    matches, rounds = _matches_and_rounds(columns, bots, house_bots)
    at_once = concurrency_limit(columns["parallel"])
    waves = max(math.ceil(matches / max(1, min(at_once, load.processes))), rounds, 1)

    def total(seconds: float) -> float:
        return load.seconds_until_end(Batch(party_of(organizer), matches, seconds, at_once=at_once, rounds=rounds))

    seconds = total(sample.mean_seconds(planned))
    expected = estimate_total(
        sample.matches, planned, bots=bots, waves=waves, total=total, min_sample=sample.least
    ) or assumed_range(seconds)
    return Forecast(bots, matches, expected, seconds, rounded_up(total(planned.longest)))


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
