"""Cursor pagination: a response contains a page of items and the cursor of the next page."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Generic, TypeVar

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from ninja import Field, Schema

from arena.api.problems import ProblemError, field_error

ItemT = TypeVar("ItemT")
RowT = TypeVar("RowT", bound=Any)

MAX_PAGE_SIZE: Final = 100
LARGEST_ID: Final = 2**63 - 1

# A row id in a path or body. A value that no column can hold is rejected before it reaches the database.
Id = Annotated[int, Field(ge=1, le=LARGEST_ID)]


class Paging(Schema):
    """The requested page of a list."""

    limit: int = Field(30, ge=1, le=MAX_PAGE_SIZE, description="Maximum number of items on a page.")
    cursor: str | None = Field(
        None,
        max_length=100,
        description="The value of `next` from the previous page; omit it for the first page.",
    )


@dataclass(frozen=True, slots=True)
class Page(Generic[ItemT]):
    """A page of items; ``next``: the cursor of the next page, None at the end."""

    items: Sequence[ItemT]
    next: str | None


def page_of_rows(rows: QuerySet[RowT], paging: Paging) -> Page[RowT]:
    """Return a page of rows by descending id, stable under insertions. Raises ProblemError if the cursor is invalid."""
    rows = rows.order_by("-pk")
    if paging.cursor is not None:
        rows = rows.filter(pk__lt=_decode_cursor("id", paging.cursor))
    found = list(rows[: paging.limit + 1])
    items = found[: paging.limit]
    return Page(items, _encode_cursor("id", items[-1].pk) if len(found) > paging.limit else None)


def page_of_ids(newest: Callable[[int, int | None], Sequence[int]], paging: Paging) -> Page[int]:
    """Return a page of ids in descending order. Raises ProblemError.

    ``newest``: a function that takes a count and an id (None for no bound), and returns at most that many ids below
    that id, newest first.
    """
    before = None if paging.cursor is None else _decode_cursor("id", paging.cursor)
    found = newest(paging.limit + 1, before)
    items = found[: paging.limit]
    return Page(items, _encode_cursor("id", items[-1]) if len(found) > paging.limit else None)


def page_of_list(items: Iterable[ItemT], paging: Paging) -> Page[ItemT]:
    """Return a page of a list; a lazy sequence is read only as far as needed."""
    everything = items if isinstance(items, Sequence) else list(items)
    start = 0 if paging.cursor is None else _decode_cursor("at", paging.cursor)
    end = start + paging.limit
    return Page(everything[start:end], _encode_cursor("at", end) if end < len(everything) else None)


def _encode_cursor(kind: str, place: int) -> str:
    return base64.urlsafe_b64encode(f"{kind}:{place}".encode()).decode().rstrip("=")


def _decode_cursor(kind: str, cursor: str) -> int:
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
    except (binascii.Error, ValueError):
        text = ""
    found, _colon, place = text.partition(":")
    if found != kind or not place.isdecimal() or not place.isascii() or int(place) > LARGEST_ID:
        message = _("This cursor is not valid. Use the value of next from the previous page.")
        raise ProblemError(422, message, errors=[field_error("cursor", "invalid", message)])
    return int(place)
