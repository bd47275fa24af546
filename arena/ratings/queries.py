"""Leaderboards, with the range of statistically indistinguishable ranks for each bot."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple, overload

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from arena.core.ranking.rating import CENTRE, FIRST_DEVIATION, STEP_DEVIATION, RankTable
from arena.core.ranking.rating import Rating as Estimate
from arena.ratings.models import Rating
from arena.ui.localized import Texts, localized_text

_FEW: Final = 500  # maximum number of rows read by id
UNRATED: Final = Estimate(CENTRE, FIRST_DEVIATION)


class OwnerGroup(StrEnum):
    """The owners whose bots a leaderboard shows; ranks are always computed among all bots."""

    ALL = ""
    PEOPLE = "people"
    HOUSE = "house"


@dataclass(frozen=True, slots=True)
class LeaderboardFilter:
    """The filter for a leaderboard; empty fields are ignored."""

    text: str = ""
    field: OwnerGroup = OwnerGroup.ALL


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A row of a leaderboard: the active submission of a bot.

    ``best`` and ``worst``: the range of ranks that are statistically indistinguishable from its own.

    ``matches`` is 0 for a new version that has not played yet, which takes its predecessor's rank.
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
    mean_rank: float | None = None  # mean rank at tables with more than two seats, and their mean size
    mean_seats: float | None = None
    best: int = 0
    worst: int = 0
    texts: Texts = field(default_factory=dict)

    @property
    def value(self) -> float:
        return self.estimate.value

    @property
    def lower_bound(self) -> float:
        return self.estimate.lower_bound

    @property
    def upper_bound(self) -> float:
        return self.estimate.upper_bound

    @property
    def is_separable(self) -> bool:
        return self.best == self.worst


_COUNTS: Final = ("matches", "wins", "draws", "losses", "mean_rank", "mean_seats")
_PLACE: Final = (
    *("submission__bot_id", "submission__number", "value", "deviation"),
    *("pk", "submission_id", "submission__bot__active_id"),
)
_NAMES: Final = ("submission__bot__name", "submission__bot__owner__username", "submission__bot__is_house")
_LINE: Final = (
    *("submission__bot_id", *_NAMES, "submission__bot__owner_id"),
    *("submission__bot__texts", "submission__bot__active_id", "submission__bot__active__number", *_COUNTS),
)


class _RankedBot(NamedTuple):
    """The newest rated version of a bot, ignoring versions newer than the active one.

    ``is_new``: whether the active version has not played yet.
    """

    bot: int
    value: float
    deviation: float  # of the active version
    rating: int
    is_new: bool


class Leaderboard(Sequence[LeaderboardRow]):
    """The rows of a game's leaderboard, best first.

    There may be thousands of rows, so only the requested rows are read, all in one query.

    ``shown``: the positions of the filtered rows, if there is a filter.
    """

    def __init__(self, game: str, places: Sequence[_RankedBot], shown: Sequence[int] | None = None) -> None:
        self._game, self._places = game, places
        self._ranks = RankTable([one.value for one in places], [one.deviation for one in places])
        self._shown = range(len(places)) if shown is None else shown

    def __len__(self) -> int:
        return len(self._shown)

    def __iter__(self) -> Iterator[LeaderboardRow]:
        return iter(self[:])

    @overload
    def __getitem__(self, place: int) -> LeaderboardRow: ...
    @overload
    def __getitem__(self, place: slice) -> list[LeaderboardRow]: ...
    def __getitem__(self, place: int | slice) -> LeaderboardRow | list[LeaderboardRow]:
        if isinstance(place, slice):
            return self._rows([self._places[number] for number in self._shown[place]])
        return self._rows([self._places[self._shown[place]]])[0]

    def row_of_bot(self, bot_id: int) -> LeaderboardRow | None:
        found = [one for number in self._shown if (one := self._places[number]).bot == bot_id]
        return next(iter(self._rows(found)), None)

    def filter_by(self, chosen: LeaderboardFilter) -> Leaderboard:
        """Return the rows that match a filter, with their overall ranks; runs one query if there is a filter."""
        if chosen == LeaderboardFilter():
            return self
        text = chosen.text.casefold()
        found = {
            pk
            for pk, name, owner, is_house, texts in Rating.objects.filter(game=self._game)
            .order_by()
            .values_list("pk", *_NAMES, "submission__bot__texts")
            if any(text in one.casefold() for one in (name, owner, localized_text(texts, "name") or ""))
            and (chosen.field == OwnerGroup.ALL or is_house == (chosen.field == OwnerGroup.HOUSE))
        }
        shown = [number for number in self._shown if self._places[number].rating in found]
        return Leaderboard(self._game, self._places, shown)

    def _rows(self, places: Sequence[_RankedBot]) -> list[LeaderboardRow]:
        rows = Rating.objects.filter(game=self._game).order_by()
        if len(places) <= _FEW:  # databases limit the number of parameters
            rows = rows.filter(pk__in=[one.rating for one in places])
        found = {pk: row for pk, *row in rows.values_list("pk", *_LINE)} if places else {}
        return [self._row(one, found[one.rating]) for one in places if one.rating in found]

    def _row(self, place: _RankedBot, row: Sequence[Any]) -> LeaderboardRow:
        bot, name, owner, is_house, owner_id, texts, active, number, *counts = row
        estimate = Estimate(place.value, place.deviation)
        best, worst = self._ranks.rank_range(estimate)
        return LeaderboardRow(
            bot_id=bot,
            name=name,
            owner=owner,
            owner_id=owner_id,
            is_house=is_house,
            submission=active,
            version=number,
            estimate=estimate,
            best=best,
            worst=worst,
            texts=texts,
            **({} if place.is_new else dict(zip(_COUNTS, counts, strict=True))),
        )


def leaderboard(game: str) -> Leaderboard:
    """Return the leaderboard of all bots that have a rating for the active or an earlier version, best first.

    Runs one query, and a second one when rows are read.
    """
    places = _ranked_bots(_active_versions().filter(game=game))
    return Leaderboard(game, sorted(places, key=lambda one: (-one.value, one.bot)))


def row_of_bot(bot_id: int, game: str) -> tuple[LeaderboardRow | None, int]:
    """Return a bot's leaderboard row (None if it has none) and the number of rows. Runs two queries."""
    board = Leaderboard(game, _ranked_bots(_active_versions().filter(game=game)))
    return board.row_of_bot(bot_id), len(board)


@dataclass(frozen=True, slots=True)
class Leader:
    """One of the best bots of a game."""

    bot_id: int
    name: str
    owner: str
    value: float
    is_house: bool
    texts: Texts


def leaders(game: str, count: int) -> list[Leader]:
    """Return the top of a leaderboard, using one query that reads only a few more rows than it returns."""
    later = Rating.objects.filter(
        submission__bot=OuterRef("submission__bot"),
        submission__number__gt=OuterRef("submission__number"),
        submission__number__lte=OuterRef("submission__bot__active__number"),
    )
    rows = _active_versions().filter(~Exists(later), game=game).order_by("-value", "submission__bot")
    columns = (
        *("submission__bot_id", "submission__bot__name", "submission__bot__owner__username", "value"),
        *("submission__bot__is_house", "submission__bot__texts"),
    )
    return [Leader(*row) for row in rows.values_list(*columns)[:count]]


def ratings_of(bot_ids: Collection[int]) -> dict[int, float]:
    """Return the rating with which each bot appears on its game's leaderboard. Runs one query."""
    return {one.bot: one.value for one in _ranked_bots(_active_versions().filter(submission__bot__in=bot_ids))}


def estimates(game: str) -> dict[int, Estimate]:
    """Return the estimates of eligible bots that have a rating, keyed by active submission. Runs one query."""
    rows = _active_versions().filter(game=game).order_by("submission__number")
    return {  # the newest version comes last
        active: Estimate(value, deviation if submission == active else new_deviation(deviation))
        for submission, active, value, deviation in rows.values_list(
            "submission_id", "submission__bot__active_id", "value", "deviation"
        )
    }


def _active_versions() -> QuerySet[Rating]:
    """Select the ratings of eligible bots' active versions and their predecessors."""
    bots = Q(submission__bot__retired=False, submission__bot__level=None)
    up_to_active = Q(submission__number__lte=F("submission__bot__active__number"))
    return Rating.objects.filter(bots & up_to_active)


def _ranked_bots(rows: QuerySet[Rating]) -> list[_RankedBot]:
    newest: dict[int, tuple[Any, ...]] = {}
    for row in rows.order_by().values_list(*_PLACE):
        known = newest.get(row[0])
        if known is None or row[1] > known[1]:
            newest[row[0]] = row
    return [
        _RankedBot(bot, value, deviation, rating, False)
        if submission == active
        else _RankedBot(bot, value, new_deviation(deviation), rating, True)
        for bot, _number, value, deviation, rating, submission, active in newest.values()
    ]


def new_deviation(deviation: float) -> float:
    """Return the deviation of a new version that has not played, computed as in arena.core.ranking.plackett_luce."""
    return math.hypot(deviation, STEP_DEVIATION)
