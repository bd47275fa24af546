"""Leaderboards, with confidence of the ranks."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple, overload

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from arena.core.ranking.rating import CENTRE, FIRST_DEVIATION, STEP_DEVIATION, PlaceTable
from arena.core.ranking.rating import Rating as Estimate
from arena.ratings.models import Rating
from arena.submissions.models import Bot


class Field(StrEnum):
    """Whose bots a leaderboard shows; ranks always count everybody."""

    ALL = ""
    PEOPLE = "people"
    HOUSE = "house"


@dataclass(frozen=True, slots=True)
class LeaderboardFilter:
    """Filter of a leaderboard; empty fields do not filter."""

    text: str = ""
    field: Field = Field.ALL


@dataclass(frozen=True, slots=True)
class LeaderboardLine:
    """The active submission of a bot; ``best`` and ``worst`` are the ranks that cannot be distinguished from its own.

    ``matches`` is 0 if a new version has not played yet and takes its predecessor's rank.
    """

    bot_id: int
    name: str
    owner: str
    owner_id: int
    is_house: bool
    submission: int
    version: int
    estimate: Estimate
    matches: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    mean_rank: float | None = None  # at tables of more than two seats, with their mean size
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
_VERSION: Final = ("submission__bot_id", "submission_id", "submission__number", "value", "deviation", *_COUNTS)
_BOT: Final = (
    *("submission__bot__name", "submission__bot__owner__username", "submission__bot__owner_id"),
    *("submission__bot__is_house", "submission__bot__active_id", "submission__bot__active__number"),
)


class _Row(NamedTuple):
    """The newest rated version of a bot up to its active one."""

    bot: int
    submission: int
    number: int
    value: float
    deviation: float
    matches: int
    wins: int
    draws: int
    losses: int
    mean_rank: float | None
    mean_seats: float | None
    name: str
    owner: str
    owner_id: int
    is_house: bool
    active: int
    active_number: int

    @property
    def is_new(self) -> bool:
        """Return whether the active version has not played yet."""
        return self.submission != self.active

    @property
    def estimate(self) -> Estimate:
        known = Estimate(self.value, self.deviation)
        return successor(known) if self.is_new else known


class Leaderboard(Sequence[LeaderboardLine]):
    """The lines of a leaderboard, best first, built on demand because there may be thousands.

    ``shown``: the positions of the filtered lines, if there is a filter.
    """

    def __init__(self, rows: Sequence[_Row], ranks: PlaceTable, shown: Sequence[int] | None = None) -> None:
        self._rows, self._ranks = rows, ranks
        self._shown = range(len(rows)) if shown is None else shown

    def __len__(self) -> int:
        return len(self._shown)

    @overload
    def __getitem__(self, place: int) -> LeaderboardLine: ...
    @overload
    def __getitem__(self, place: slice) -> list[LeaderboardLine]: ...
    def __getitem__(self, place: int | slice) -> LeaderboardLine | list[LeaderboardLine]:
        if isinstance(place, slice):
            return [self._line(row) for row in self._shown[place]]
        return self._line(self._shown[place])

    def of_bot(self, bot_id: int) -> LeaderboardLine | None:
        return next((self._line(place) for place in self._shown if self._rows[place].bot == bot_id), None)

    def narrowed(self, chosen: LeaderboardFilter) -> Leaderboard:
        """Return the lines that match a filter, with their overall ranks."""
        text = chosen.text.casefold()
        shown = [
            place
            for place in self._shown
            if (text in self._rows[place].name.casefold() or text in self._rows[place].owner.casefold())
            and (chosen.field == Field.ALL or self._rows[place].is_house == (chosen.field == Field.HOUSE))
        ]
        return Leaderboard(self._rows, self._ranks, shown)

    def _line(self, place: int) -> LeaderboardLine:
        row = self._rows[place]
        best, worst = self._ranks.places(row.estimate)
        counts = {} if row.is_new else {name: getattr(row, name) for name in _COUNTS}
        return LeaderboardLine(
            bot_id=row.bot,
            name=row.name,
            owner=row.owner,
            owner_id=row.owner_id,
            is_house=row.is_house,
            submission=row.active,
            version=row.active_number,
            estimate=row.estimate,
            best=best,
            worst=worst,
            **counts,
        )


def leaderboard(game: str) -> Leaderboard:
    """Return every bot with a rating for its active or an earlier version, best first. One query."""
    rows = sorted(_rated(game), key=lambda row: (-row.value, row.bot))
    return Leaderboard(rows, PlaceTable([row.estimate for row in rows]))


def line_of_bot(bot_id: int, game: str) -> tuple[LeaderboardLine | None, int]:
    """Return a bot's line of the leaderboard, and the number of lines.

    Two queries: all others are read only for their ranks, without names and owners.
    """
    columns = ("submission__bot_id", "submission_id", "submission__bot__active_id", "value", "deviation")
    known: dict[int, Estimate] = {}  # the newest version last
    rows = _active_versions().filter(game=game).order_by("submission__number").values_list(*columns)
    for bot, submission, active, value, deviation in rows:
        estimate = Estimate(value, deviation)
        known[bot] = estimate if submission == active else successor(estimate)
    own = _newest(_active_versions().filter(game=game, submission__bot=bot_id))
    return Leaderboard(own, PlaceTable(list(known.values()))).of_bot(bot_id), len(known)


@dataclass(frozen=True, slots=True)
class Leader:
    """One of the best bots of a game."""

    bot_id: int
    name: str
    owner: str
    value: float


def leaders(game: str, count: int) -> list[Leader]:
    """Return the top of a leaderboard; one query, which reads little else."""
    later = Rating.objects.filter(
        submission__bot=OuterRef("submission__bot"),
        submission__number__gt=OuterRef("submission__number"),
        submission__number__lte=OuterRef("submission__bot__active__number"),
    )
    rows = _active_versions().filter(~Exists(later), game=game).order_by("-value", "submission__bot")
    columns = ("submission__bot_id", "submission__bot__name", "submission__bot__owner__username", "value")
    return [Leader(*row) for row in rows.values_list(*columns)[:count]]


def ratings_of(bot_ids: Collection[int]) -> dict[int, float]:
    """Return by bot its place on its game's leaderboard; one query."""
    return {row.bot: row.value for row in _newest(_active_versions().filter(submission__bot__in=bot_ids))}


def estimates(game: str) -> dict[int, Estimate]:
    """Return the estimates of all eligible bots by active submission; two queries."""
    active = Bot.objects.filter(game=game, level=None, retired=False, active__isnull=False).order_by("pk")
    rows = _active_versions().filter(game=game).order_by("submission__number")
    rated = {}  # the newest one last
    for submission, now, value, deviation in rows.values_list(
        "submission_id", "submission__bot__active_id", "value", "deviation"
    ):
        known = Estimate(value, deviation)
        rated[now] = known if submission == now else successor(known)
    unknown = Estimate(CENTRE, FIRST_DEVIATION)
    return {submission: rated.get(submission, unknown) for submission in active.values_list("active_id", flat=True)}


def _active_versions() -> QuerySet[Rating]:
    """Select the ratings of eligible bots' active versions and their predecessors."""
    bots = Q(submission__bot__retired=False, submission__bot__level=None)
    up_to_active = Q(submission__number__lte=F("submission__bot__active__number"))
    return Rating.objects.filter(bots & up_to_active)


def _rated(game: str) -> list[_Row]:
    return _newest(_active_versions().filter(game=game))


def _newest(rows: QuerySet[Rating]) -> list[_Row]:
    found: dict[int, _Row] = {}
    for values in rows.order_by().values_list(*_VERSION, *_BOT):
        row = _Row._make(values)
        if row.bot not in found or row.number > found[row.bot].number:
            found[row.bot] = row
    return list(found.values())


def successor(estimate: Estimate) -> Estimate:
    """Return the estimate of a new version that has not played, by arena.core.ranking.plackett_luce."""
    return Estimate(estimate.value, math.hypot(estimate.deviation, STEP_DEVIATION))
