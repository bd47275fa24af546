"""Read-only queries about recordings."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from django.db.models import Q, QuerySet

from arena.accounts.permissions import OWNER, SIGNED_IN, STAFF, Person, Rules, owner_filter
from arena.games.golden_point.evaluation.golden_match import GoldenMatch
from arena.games.golden_point.evaluation.recorded_file import read
from arena.games.golden_point.recordings.models import Example, Recording
from arena.games.golden_point.recordings.texts import example_texts, examples_with
from arena.platform.refusal import NotFound


class RecordingAction(StrEnum):
    """The restricted actions on recordings."""

    UPLOAD_RECORDING = "upload_recording"
    DELETE_RECORDING = "delete_recording"  # includes changing whether it is listed


RULES: Final[Rules] = {
    RecordingAction.UPLOAD_RECORDING: SIGNED_IN,
    RecordingAction.DELETE_RECORDING: OWNER | STAFF,
}


@dataclass(frozen=True, slots=True)
class RecordingFilter:
    """The filters for the list; empty fields are ignored."""

    text: str = ""
    owner: str = ""


@dataclass(frozen=True, slots=True)
class RecordingRow:
    """A recording without its numbers. ``owner``: "" for one of the arena's own examples."""

    code: str
    title: str
    credit: str
    owner: str
    owner_id: int | None
    listed: bool
    numbers: int
    players: int
    rounds: int
    created_at: datetime


def recordings(chosen: RecordingFilter, reader: Person) -> QuerySet[Recording]:
    """Return the recordings that the reader can see in the list, newest first.

    Readers see listed recordings and their own; staff see all.
    """
    rows = Recording.objects.select_related("owner").defer("data")
    own = owner_filter(reader, RecordingAction.DELETE_RECORDING, "owner_id")
    if own:
        rows = rows.filter(Q(listed=True) | own)
    if chosen.text:
        rows = rows.filter(
            Q(title__icontains=chosen.text)
            | Q(credit__icontains=chosen.text)
            | Q(example__in=examples_with(chosen.text))
        )
    if chosen.owner:
        rows = rows.filter(owner__username__iexact=chosen.owner)
    return rows.order_by("-pk")


def recording_rows(rows: Iterable[Recording]) -> list[RecordingRow]:
    return list(map(_recording_row, rows))


def _recording_row(row: Recording) -> RecordingRow:
    title, credit = example_texts(Example(row.example)) if row.example else (row.title, row.credit)
    return RecordingRow(
        code=row.code,
        title=title,
        credit=credit,
        owner=row.owner.username if row.owner else "",
        owner_id=row.owner_id,
        listed=row.listed,
        numbers=row.numbers,
        players=row.players,
        rounds=row.rounds,
        created_at=row.created_at,
    )


def recording_row(code: str) -> RecordingRow | None:
    """Return the recording with this code, or None if it does not exist; anyone with the code may see it."""
    return next(iter(recording_rows(Recording.objects.select_related("owner").defer("data").filter(code=code))), None)


def deleted_codes(codes: Collection[str]) -> set[str]:
    """Return the codes that have no recording; runs no query if the input is empty."""
    if not codes:
        return set()
    return set(codes) - set(Recording.objects.filter(code__in=codes).values_list("code", flat=True))


def text_of(code: str) -> str:
    """Return the original text of the recording with this code. Raises NotFound."""
    return _text(_stored_recording(code))


def match_of(code: str) -> GoldenMatch:
    """Return the match in the recording with this code. Raises NotFound."""
    row = _stored_recording(code)
    return read(_text(row), row.numbers)


def _stored_recording(code: str) -> Recording:
    row = Recording.objects.only("data", "numbers").filter(code=code).first()
    if row is None:
        raise NotFound
    return row


def _text(row: Recording) -> str:
    return zlib.decompress(bytes(row.data)).decode()
