"""Read the records of finished matches from the database or the upload store, unless they were deleted.

Invariant: all code that reads a record uses this module, and gets the same bytes wherever the record is stored.
``None`` means that the record was deleted by ``arena.matches.retention``; a lost record raises an exception.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from arena.core.referee.record import VERSION, Record, dump, load, load_outcome
from arena.matches.models import Match, MatchRecord, ReducedMatch
from arena.submissions.store import load_blob


@dataclass(frozen=True, slots=True)
class Reduction:
    """The effect of retention on a match. ``is_moved``: the record is in the upload store and can still be read."""

    at: datetime
    is_moved: bool


def record_data_by_match(match_ids: Collection[int]) -> dict[int, bytes]:
    """Return the stored records by match id. Raises StoreUnavailable, BlobMissingError."""
    found = {
        match_id: bytes(data)
        for match_id, data in MatchRecord.objects.filter(match__in=match_ids).values_list("match_id", "data")
    }
    missing = [match_id for match_id in match_ids if match_id not in found]
    if missing:
        moved = ReducedMatch.objects.filter(match__in=missing).exclude(content="").values_list("match_id", "content")
        found |= {match_id: load_blob(content) for match_id, content in moved}
    return found


def record_data(match_id: int) -> bytes | None:
    """Return the record of a finished match as zlib-compressed JSON, in the current version; None if it was deleted."""
    row = MatchRecord.objects.filter(match_id=match_id).values_list("version", "data").first()
    if row is not None and row[0] == VERSION:
        return bytes(row[1])
    data = record_data_by_match([match_id]).get(match_id)
    return None if data is None else dump(load(data))


def record_of(match_id: int, *, game: str = "") -> Record | None:
    """Return the record of a finished match; None if it was deleted.

    ``game``: if given, return None for other games, without reading their records, which may be long.
    """
    if game and not Match.objects.filter(pk=match_id, game=game).exists():
        return None
    data = record_data_by_match([match_id]).get(match_id)
    return None if data is None else load(data)


def records(match_ids: Sequence[int]) -> Iterator[tuple[int, Record]]:
    """Yield the records of these matches with their ids; only one is in memory at a time."""
    return ((match_id, load(data)) for match_id, data in sorted(record_data_by_match(match_ids).items()))


def recorded_figures(match_ids: Sequence[int]) -> dict[int, Mapping[str, list[float]]]:
    """Return, by match id and statistic, the seats' values; points are not included. See ``Outcome.figures``."""
    return {match_id: load_outcome(data).figures for match_id, data in record_data_by_match(match_ids).items()}


def reduction_of(match_id: int) -> Reduction | None:
    """Return what retention did to the match; None if it still has all its data."""
    row = ReducedMatch.objects.filter(match_id=match_id).values_list("at", "content").first()
    return None if row is None else Reduction(row[0], bool(row[1]))


def ids_without_record(match_ids: Collection[int]) -> list[int]:
    """Return the ids of those matches whose records were deleted by retention."""
    rows = ReducedMatch.objects.filter(match__in=match_ids, content="")
    return list(rows.order_by("match_id").values_list("match_id", flat=True))
