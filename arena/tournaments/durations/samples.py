"""Samples of match durations: recent matches of a game or, on a new site, upload checks or the game's typical match."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean
from typing import Any, Final

from django.db.models import Count, Exists, OuterRef, QuerySet, Sum

from arena.core.duration_estimate import MIN_SAMPLE, PlannedMatch, PlayedMatch
from arena.core.referee.check_report import CheckStepName
from arena.core.referee.messages import SLOW_THINKER
from arena.core.referee.record import RecordError, load
from arena.games.registry import GAMES
from arena.games.sites import SITES
from arena.matches.models import RATED, Match, MatchStatus, Seat
from arena.submissions.models import Submission, SubmissionStatus

ASSUMED_SECONDS: Final = 1.0  # assumed time per turn of a game about which nothing is known
MIN_CHECKS: Final = 3
_SAMPLE: Final = 100  # how many of a game's newest matches are sampled
_CHECKS: Final = 20  # how many of a game's newest upload checks are sampled


class Basis(StrEnum):
    """The basis of an estimate."""

    BOTS = "bots"  # recent matches among the bots of the planned tournament
    MATCHES = "matches"  # recent matches of the game
    CHECKS = "checks"  # matches of upload checks
    TYPICAL = "typical"  # the game's typical match, measured elsewhere
    ASSUMPTION = "assumption"  # nothing but an assumed time per turn


@dataclass(frozen=True, slots=True)
class Sample:
    """Finished matches from which durations are estimated; ``basis`` says which matches."""

    basis: Basis
    matches: Sequence[PlayedMatch] = ()

    @property
    def least(self) -> int:
        """Return the minimum number of matches for an estimate."""
        return MIN_CHECKS if self.basis == Basis.CHECKS else MIN_SAMPLE

    @property
    def is_measured(self) -> bool:
        """Return whether it consists of finished matches, so that the time limits add nothing to an estimate."""
        return self.basis in (Basis.BOTS, Basis.MATCHES)

    def mean_seconds(self, planned: PlannedMatch) -> float:
        """Return the expected duration of one match."""
        if self.basis == Basis.ASSUMPTION:
            return planned.seconds_at(ASSUMED_SECONDS)
        return fmean(planned.expected_seconds(match) for match in self.matches)


def best_sample(game: str, *, bots: Collection[int] = ()) -> Sample:
    """Return the most relevant sample that is large enough. Runs at most four queries.

    ``bots``: the bots of the tournament if they are known, because slow bots dominate the duration.
    """
    if bots:
        known = recent_matches(game, among=bots)
        if len(known) >= MIN_SAMPLE:
            return Sample(Basis.BOTS, known)
    recent = recent_matches(game)
    if len(recent) >= MIN_SAMPLE:
        return Sample(Basis.MATCHES, recent)
    checks = checked_matches(game)
    if len(checks) < MIN_CHECKS or _awaits_checks(game):
        typical = SITES[game].typical_match
        return Sample(Basis.TYPICAL, (typical,)) if typical else Sample(Basis.ASSUMPTION)
    return Sample(Basis.CHECKS, checks)


def recent_matches(game: str, *, among: Collection[int] = ()) -> list[PlayedMatch]:
    """Return the game's newest tournament and ladder matches, or only those between these bots. Runs one query.

    Matches that lost their worker are left out, because they also waited for another one.
    """
    rows = Match.objects.filter(
        game=game, status=MatchStatus.FINISHED, purpose__in=RATED, turns__gt=0, fence__lte=1
    ).exclude(started_at=None)
    if among:
        rows = _among(rows, among)
    columns = ("settings", "limits", "turns", "started_at", "finished_at", "bots", "thinking")
    counted = rows.annotate(bots=Count("seats"), thinking=Sum("seats__seconds", default=0.0))
    sample = list(counted.order_by("-pk").values_list(*columns)[:_SAMPLE])
    return [
        PlayedMatch(
            turns,
            max_turns(game, settings),
            max(seats, 1),
            # The spectator delay is not part of the time that bots need, but they think during the delay.
            max((end - start).total_seconds() - limits.get("pace_seconds", 0) * turns, thinking),
        )
        for settings, limits, turns, start, end, seats, thinking in sample
    ]


def _among(rows: QuerySet[Match], bots: Collection[int]) -> QuerySet[Match]:
    """Select the matches in which only these bots play."""
    seats = Seat.objects.filter(match=OuterRef("pk"))
    return rows.filter(Exists(seats), ~Exists(seats.exclude(submission__bot__in=bots)))


def _awaits_checks(game: str) -> bool:
    """Return whether house bots are still waiting for their checks: the first to pass are the fast ones."""
    unchecked = (SubmissionStatus.WAITING, SubmissionStatus.CHECKING)
    return Submission.objects.filter(bot__game=game, bot__is_house=True, status__in=unchecked).exists()


def checked_matches(game: str) -> list[PlayedMatch]:
    """Return the matches of the newest upload checks, as if the checked bot had played every seat. Runs one query.

    The opponent in a check answers immediately, so only the time of the checked bot counts.
    """
    passed = Submission.objects.filter(bot__game=game, status=SubmissionStatus.PASSED).order_by("-pk")
    rows = passed.values_list("record", "steps")[:_CHECKS]
    found = [_recorded_match(game, bytes(data)) if data else _unfinished_match(game, steps) for data, steps in rows]
    return [match for match in found if match is not None]


def _recorded_match(game: str, data: bytes) -> PlayedMatch | None:
    try:
        record = load(data)
    except RecordError:  # of a newer version
        return None
    seconds = sum(move.seconds for turn in record.turns for move in turn.moves if move.seat == 0)
    seats = len(record.seats)
    return PlayedMatch(len(record.turns), max_turns(game, record.settings), seats, seconds * seats)


def _unfinished_match(game: str, steps: Sequence[Mapping[str, Any]]) -> PlayedMatch | None:
    """Return the match that a slow bot's check ended early, extrapolated to its end; None for other checks."""
    for step in steps:
        if step["name"] == CheckStepName.MATCH and step["code"] == SLOW_THINKER.code:
            trial = GAMES[game].trial
            turns = max_turns(game, trial.settings)
            return PlayedMatch(
                turns, turns, trial.seats, step["seconds"] / step["parameters"]["n"] * turns * trial.seats
            )
    return None


def max_turns(game: str, settings: Mapping[str, Any]) -> int:
    """Return the maximum number of turns in a match with these settings."""
    rules = GAMES[game]
    return rules.max_turns(rules.settings(settings))


def planned_match(columns: Mapping[str, Any], seats: int) -> PlannedMatch:
    """Return a match between this many bots in a tournament with these columns."""
    limits = columns["limits"]
    turns = max_turns(columns["game"], columns["settings"])
    return PlannedMatch(turns, seats, limits["move_seconds"], limits.get("pace_seconds", 0.0))
