"""Forecast the duration of a planned tournament.

It is computed from the number of matches, the recent duration of the game's matches, and the workers that serve the
game. A tournament that starts immediately shares these workers with the running tournaments.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Count

from arena.celery import Queue
from arena.games.registry import GAMES
from arena.matches.models import Match, MatchStatus
from arena.platform.workers.queries import processes_for
from arena.tournaments.formats.traits import system_of
from arena.tournaments.models import Format, Tournament
from arena.tournaments.rounds.reconciliation import matches_due_by_tournament

_SAMPLE: Final = 100  # how many of a game's newest finished matches are sampled
_GUESSED_TURN: Final = 0.05  # seconds, if no match of the game has been played
_THOUGHT: Final = 0.25  # seconds per turn that the search of a student's bot typically takes, if the limit permits
_WORTH_A_RANGE: Final = 1.5  # from this ratio on, the longest duration is shown


@dataclass(frozen=True, slots=True)
class MatchPace:
    """The pace of a game's matches.

    ``share``: the turns played, as a fraction of the maximum; ``turn_seconds``: seconds per turn of a match with
    ``seats`` bots.
    """

    share: float = 1.0
    turn_seconds: float = _GUESSED_TURN
    seats: float = 2.0  # mean of the sample
    matches: int = 0  # sample size; 0: a guess


@dataclass(frozen=True, slots=True)
class Forecast:
    """The forecast of a tournament's matches and duration for one number of bots.

    ``duration``: if bots are as fast as in recent matches, most of which are between house bots. ``longest``: if bots
    think as long as students' bots typically do; None if all bots are house bots, or if the two durations hardly
    differ.
    """

    bots: int
    matches: int
    duration: timedelta
    longest: timedelta | None = None


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


def match_pace(game: str) -> MatchPace:
    """Measure the pace of the game's newest finished matches. Runs one query."""
    rows = Match.objects.filter(game=game, status=MatchStatus.FINISHED, turns__gt=0)
    columns = ("settings", "limits", "turns", "started_at", "finished_at", "bots")
    sample = list(rows.annotate(bots=Count("seats")).order_by("-pk").values_list(*columns)[:_SAMPLE])
    turns = sum(row[2] for row in sample)
    if not turns:
        return MatchPace()
    most = sum(_most_turns(game, settings) for settings, *_ in sample)
    # The spectator delay is not part of the time that bots need.
    seconds = sum(
        max((end - start).total_seconds() - limits.get("pace_seconds", 0) * count, 0.0)
        for _, limits, count, start, end, _ in sample
        if start is not None and end is not None
    )
    seats = sum(row[-1] for row in sample) / len(sample)
    return MatchPace(min(turns / most, 1.0), seconds / turns, seats, len(sample))


def _most_turns(game: str, settings: Mapping[str, Any]) -> int:
    rules = GAMES[game]
    return rules.most_turns(rules.settings(settings))


def match_seconds(tempo: MatchPace, most_turns: int, pace_seconds: float, seats: float) -> float:
    """Return the expected duration of a match with ``seats`` bots, in seconds.

    A turn is assumed to take as long as in recent matches, but at least ``pace_seconds``. With more bots, a turn takes
    proportionally longer, because one worker runs all bots in a match.
    """
    turn_seconds = tempo.turn_seconds * seats / max(tempo.seats, 1.0)
    return max(1, tempo.share * most_turns) * max(turn_seconds, pace_seconds)


def forecasts(
    columns: Mapping[str, Any], bots: Sequence[int], *, house_bots: int, tempo: MatchPace, capacity: WorkerCapacity
) -> list[Forecast]:
    """Return a forecast for each number of bots; ``columns``: the plan's columns."""
    most, limits = _most_turns(columns["game"], columns["settings"]), columns["limits"]
    at_once = capacity.expected_concurrency(columns["parallel"])
    thought = min(_THOUGHT, limits["move_seconds"])
    found = []
    for n in bots:
        seats, pace = _seats_per_match(columns, n), limits["pace_seconds"]
        usual, slow = (match_seconds(tempo, most, least, seats) for least in (pace, max(pace, thought)))
        longest = slow if n > house_bots and slow >= _WORTH_A_RANGE * usual else None
        found.append(_forecast(columns, n, house_bots, (usual, longest), at_once))
    return found


def _seats_per_match(columns: Mapping[str, Any], bots: int) -> int:
    """Return how many bots play in each match of a planned tournament with ``bots`` entries."""
    match columns["format"]:
        case Format.TABLE:
            return min(columns["options"].get("seats") or bots, bots)
        case Format.SCORE_ATTACK:
            return min(columns["options"].get("bots_per_match") or 1, bots)
    return 2


def _forecast(
    columns: Mapping[str, Any], bots: int, house_bots: int, seconds: tuple[float, float | None], at_once: float
) -> Forecast:
    """Return the forecast; ``seconds``: the expected and the longest duration of a match."""
    options = dict(columns["options"])
    if columns["format"] == Format.GAUNTLET:
        options["gauntlet_bots"] = options.get("gauntlet_bots") or max(1, house_bots)
    names = ("game", "format", "repeats", "matches_per_encounter")
    planned = Tournament(**{name: columns[name] for name in names}, options=options)
    matches = system_of(planned, bots).encounter_count(bots) * columns["matches_per_encounter"]
    waves = math.ceil(matches / at_once)
    usual, longest = seconds
    return Forecast(
        bots, matches, timedelta(seconds=waves * usual), timedelta(seconds=waves * longest) if longest else None
    )
