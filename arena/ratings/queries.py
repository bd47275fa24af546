"""Who leads a game, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple

from arena.core.ranking.rating import CENTRE, FIRST_DEVIATION, STEP_DEVIATION, places
from arena.core.ranking.rating import Rating as Estimate
from arena.ratings.models import Rating
from arena.submissions.models import Bot


class Field(StrEnum):
    """Whose bots a leaderboard shows; ranks are among all in any case."""

    ALL = ""
    PEOPLE = "people"
    HOUSE = "house"


@dataclass(frozen=True, slots=True)
class LeaderboardFilter:
    """What a leaderboard is narrowed to; empty fields do not narrow."""

    text: str = ""
    field: Field = Field.ALL


@dataclass(frozen=True, slots=True)
class LeaderboardLine:
    """The active submission of a bot; ``best`` and ``worst`` are the ranks that cannot be told apart from its own.

    ``matches`` is 0 where a new version has played none yet and stands where its predecessor stood.
    """

    bot_id: int
    name: str
    owner: str
    owner_id: int
    is_house: bool
    submission: int
    version: int
    estimate: Estimate
    matches: int
    wins: int
    draws: int
    losses: int
    mean_rank: float | None = None  # at tables of more than two seats, with how many sat there
    mean_seats: float | None = None
    best: int = 0
    worst: int = 0

    @property
    def value(self) -> float:
        return self.estimate.value

    @property
    def low(self) -> float:
        return self.estimate.low

    @property
    def high(self) -> float:
        return self.estimate.high

    @property
    def separable(self) -> bool:
        return self.best == self.worst


_COUNTS: Final = ("matches", "wins", "draws", "losses", "mean_rank", "mean_seats")


class _Version(NamedTuple):
    number: int
    submission: int
    estimate: Estimate
    matches: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    mean_rank: float | None = None
    mean_seats: float | None = None


def leaderboard(game: str) -> list[LeaderboardLine]:
    """Every bot whose active version, or one before it, has a rating; best first. Two queries."""
    rated = _versions(game)
    lines = [line for bot in _active(game) if (line := _line(bot, rated.get(bot.pk, []))) is not None]
    lines.sort(key=lambda line: (-line.value, line.bot_id))
    ranks = places([line.estimate for line in lines])
    return [replace(line, best=best, worst=worst) for line, (best, worst) in zip(lines, ranks, strict=True)]


def narrowed(lines: Collection[LeaderboardLine], chosen: LeaderboardFilter) -> list[LeaderboardLine]:
    text = chosen.text.casefold()
    return [
        line
        for line in lines
        if (text in line.name.casefold() or text in line.owner.casefold())
        and (chosen.field == Field.ALL or line.is_house == (chosen.field == Field.HOUSE))
    ]


def ratings_of(bot_ids: Collection[int]) -> dict[int, float]:
    """By bot, where it is on the leaderboard of its game."""
    games = set(Bot.objects.filter(pk__in=bot_ids).values_list("game", flat=True))
    wanted = frozenset(bot_ids)
    return {line.bot_id: line.value for game in games for line in leaderboard(game) if line.bot_id in wanted}


def estimates(game: str) -> dict[int, Estimate]:
    """What is known of every bot that can play, by its active submission; two queries."""
    rated = _versions(game)
    found = {}
    for bot in _active(game):
        line = _line(bot, rated.get(bot.pk, []))
        if bot.active is not None:
            found[bot.active.pk] = line.estimate if line is not None else Estimate(CENTRE, FIRST_DEVIATION)
    return found


def _active(game: str) -> list[Bot]:
    rows = Bot.objects.filter(game=game, level=None, retired=False, active__isnull=False).order_by("pk")
    return list(rows.select_related("owner", "active"))


def _versions(game: str) -> dict[int, list[_Version]]:
    """The rated submissions of every bot, the earliest first."""
    columns = ("submission__number", "submission_id", "value", "deviation", *_COUNTS)
    rows = Rating.objects.filter(game=game).order_by("submission__number")
    found: dict[int, list[_Version]] = {}
    for bot, number, submission, value, deviation, *figures in rows.values_list("submission__bot_id", *columns):
        found.setdefault(bot, []).append(_Version(number, submission, Estimate(value, deviation), *figures))
    return found


def _line(bot: Bot, versions: list[_Version]) -> LeaderboardLine | None:
    active = bot.active
    if active is None:
        return None
    up_to = [version for version in versions if version.number <= active.number]
    if not up_to:
        return None
    latest = up_to[-1]
    if latest.submission != active.pk:
        latest = _Version(active.number, active.pk, successor(latest.estimate))
    return LeaderboardLine(
        bot_id=bot.pk,
        name=bot.name,
        owner=bot.owner.username,
        owner_id=bot.owner_id,
        is_house=bot.is_house,
        submission=active.pk,
        version=active.number,
        estimate=latest.estimate,
        **{count: getattr(latest, count) for count in _COUNTS},
    )


def successor(estimate: Estimate) -> Estimate:
    """What is known of a new version that has not played, as arena.core.ranking.plackett_luce would say."""
    return Estimate(estimate.value, math.hypot(estimate.deviation, STEP_DEVIATION))
