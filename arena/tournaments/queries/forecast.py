"""Forecast the duration of a planned tournament.

It is computed from the number of matches and the recent duration of the game's matches.
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

_SAMPLE: Final = 100  # number of the newest finished matches of a game to sample
_GUESSED_TURN: Final = 0.05  # seconds, if no match of the game has been played


@dataclass(frozen=True, slots=True)
class MatchPace:
    """The pace of a game's matches.

    ``share``: the number of turns played as a share of the maximum; ``turn_seconds``: seconds per turn of a match with
    ``seats`` bots.
    """

    share: float = 1.0
    turn_seconds: float = _GUESSED_TURN
    seats: float = 2.0  # mean of the sample
    matches: int = 0  # sample size; 0: a guess


@dataclass(frozen=True, slots=True)
class Forecast:
    """The forecast for a tournament with this number of bots."""

    bots: int
    matches: int
    duration: timedelta


def match_pace(game: str) -> MatchPace:
    """Measure the newest finished matches of the game with one query."""
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
    """Return the expected duration of a match with this number of bots, in seconds. A turn takes as long as in recent
    matches, but at least the configured pace. At a larger table, it takes proportionally longer, because a worker runs
    all bots of a match.
    """
    turn_seconds = tempo.turn_seconds * seats / max(tempo.seats, 1.0)
    return max(1, tempo.share * most_turns) * max(turn_seconds, pace_seconds)


def forecasts(
    columns: Mapping[str, Any], bots: Sequence[int], *, house_bots: int, tempo: MatchPace, now: datetime
) -> list[Forecast]:
    """Return a forecast for each number of bots; ``columns``: the columns of the plan."""
    most, pace = _most_turns(columns["game"], columns["settings"]), columns["limits"]["pace_seconds"]
    at_once = max(1, processes_for(Queue.MATCHES, now=now))
    if columns["parallel"]:
        at_once = min(at_once, columns["parallel"])
    return [
        _forecast(columns, n, house_bots, match_seconds(tempo, most, pace, _seats(columns, n)), at_once) for n in bots
    ]


def _seats(columns: Mapping[str, Any], bots: int) -> int:
    """Return the number of bots in a match of the plan."""
    match columns["format"]:
        case Format.TABLE:
            return min(columns["options"].get("seats") or bots, bots)
        case Format.SCORE_ATTACK:
            return min(columns["options"].get("together") or 1, bots)
    return 2


def _forecast(columns: Mapping[str, Any], bots: int, house_bots: int, seconds: float, at_once: int) -> Forecast:
    options = dict(columns["options"])
    if columns["format"] == Format.GAUNTLET:
        options["heroes"] = options.get("heroes") or max(1, house_bots)
    names = ("game", "format", "repeats", "games")
    planned = Tournament(**{name: columns[name] for name in names}, options=options)
    matches = system_of(planned, bots).total(bots) * columns["games"]
    return Forecast(bots, matches, timedelta(seconds=math.ceil(matches / at_once) * seconds))
