"""Paginate the list of matches at a cost independent of their number.

A page begins after or before a match id, so all pages cost the same and no query counts rows. Matches of a bot or
person are found through their seats, in growing ranges of ids until the page is full. An index serves each query,
whether the bot plays all the time or has not played for years.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Final

from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Coalesce

from arena.accounts.models import User
from arena.accounts.permissions import Person
from arena.matches.models import Match, MatchStatus, Purpose, Seat
from arena.matches.visibility import visible
from arena.submissions.models import Submission

_RANGE: Final = 4_000  # range of match ids in the first query
_WIDER: Final = 8
_CHUNK: Final = 200  # matches of a bot in the first query, before other filters
_LARGEST_CHUNK: Final = 20_000


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """The filters for a match list; empty fields are ignored.

    ``skips_cancelled_duels``: whether to leave out cancelled duels; each take-back cancels one.
    """

    game: str = ""
    status: str = ""
    purpose: str = ""
    bot: int | None = None
    person: str = ""
    skips_cancelled_duels: bool = False


@dataclass(frozen=True, slots=True)
class MatchPage:
    """The ids of the matches on one page, newest first.

    ``newer``: the value of ``after`` for the page with newer matches; ``older``: the value of ``before`` for the page
    with older ones; each is None if there is no such page.
    """

    ids: Sequence[int]
    newer: int | None = None
    older: int | None = None


def match_page(
    chosen: MatchFilter, reader: Person, size: int, *, before: int | None = None, after: int | None = None
) -> MatchPage:
    """Return a page of the newest visible matches.

    With ``before``, return the page of the next older matches instead; with ``after``, that of the next newer ones.
    """
    if after is not None and before is None:
        found = _find_ids(chosen, reader, size + 1, after, newer=True)
        if len(found) > size:
            ids = found[size - 1 :: -1]
            return MatchPage(ids, newer=ids[0], older=ids[-1])
        before = None  # fewer than a page: this is the first page
    found = _find_ids(chosen, reader, size + 1, before)
    ids = found[:size]
    return MatchPage(
        ids,
        newer=ids[0] if ids and before is not None else None,
        older=ids[-1] if len(found) > size else None,
    )


def newest_match_ids(chosen: MatchFilter, reader: Person, count: int, *, before: int | None = None) -> list[int]:
    """Return the ids of the newest visible matches, at most ``count``; with ``before``, only of those before it."""
    return _find_ids(chosen, reader, count, before)


def _find_ids(chosen: MatchFilter, reader: Person, count: int, beside: int | None, *, newer: bool = False) -> list[int]:
    """Return at most ``count`` ids below ``beside`` or, if ``newer``, above it, nearest first."""
    seats = _seat_queries(chosen)
    # Hides the status filter from SQLite, which would otherwise use the index on status although the seats select fewer
    # matches.
    rows = filtered_matches(chosen if seats is None else replace(chosen, status=""), reader)
    if seats is not None and chosen.status:
        rows = rows.annotate(state=Coalesce("status", Value(""))).filter(state=chosen.status)
    rows = rows.order_by("pk" if newer else "-pk")
    if beside is not None:
        rows = rows.filter(pk__gt=beside) if newer else rows.filter(pk__lt=beside)
    if seats is None:
        return list(rows.values_list("pk", flat=True)[:count])
    found: list[int] = []
    candidates = _matches_of_seats(seats, beside, newer=newer)
    size = _CHUNK
    while len(found) < count and (chunk := list(islice(candidates, size))):
        found += rows.filter(pk__in=chunk).values_list("pk", flat=True)[: count - len(found)]
        size = min(_LARGEST_CHUNK, 4 * size)
    return found


def filtered_matches(chosen: MatchFilter, reader: Person) -> QuerySet[Match]:
    """Return all visible matches that pass the filter, disregarding its bot and person.

    Excludes planned matches, and those of version tests unless requested.
    """
    rows = Match.objects.filter(visible(reader)).exclude(status=MatchStatus.PLANNED)
    if not chosen.purpose:  # a version test has hundreds of matches that differ only in their seeds
        rows = rows.exclude(purpose=Purpose.VERSION_TEST)
    if chosen.skips_cancelled_duels:
        rows = rows.exclude(purpose=Purpose.DUEL, status=MatchStatus.CANCELLED)
    wanted = {field: getattr(chosen, field) for field in ("game", "status", "purpose")}
    return rows.filter(**{field: value for field, value in wanted.items() if value})


def _seat_queries(chosen: MatchFilter) -> list[QuerySet[Seat, int]] | None:
    """Return queries for the match ids of the chosen bot or person; None if the filter contains no bot and no person.

    The results of the queries hardly overlap.
    """
    if chosen.bot is None and not chosen.person:
        return None
    # Separate queries: with a join, SQLite would scan all seats in a range.
    people = list(User.objects.filter(username__iexact=chosen.person).values_list("pk", flat=True))
    versions = Submission.objects.order_by()
    if chosen.bot is not None:
        versions = versions.filter(bot_id=chosen.bot)
    if chosen.person:
        versions = versions.filter(bot__owner__in=people)
    found = [Seat.objects.filter(submission__in=list(versions.values_list("pk", flat=True)))]
    if chosen.bot is None:
        found.append(Seat.objects.filter(person__in=people))
    return [rows.order_by().values_list("match_id", flat=True) for rows in found]


def _matches_of_seats(seats: Sequence[QuerySet[Seat, int]], beside: int | None, *, newer: bool) -> Iterator[int]:
    """Yield the distinct ids of the matches with these seats, down from ``beside`` or, if ``newer``, up from it."""
    last = Match.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    width = _RANGE
    low, high = (beside or 0, last) if newer else (0, min(last, beside - 1 if beside is not None else last))
    while low < high:
        end = min(high, low + width) if newer else max(low, high - width)
        inside = Q(match_id__gt=low, match_id__lte=end) if newer else Q(match_id__gt=end, match_id__lte=high)
        yield from sorted(set(chain.from_iterable(rows.filter(inside) for rows in seats)), reverse=not newer)
        low, high = (end, high) if newer else (low, end)
        width *= _WIDER
