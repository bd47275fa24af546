"""What the apps above add to a match, by its purpose.

A callback runs inside the transaction that stores the fact it is told about, so that a result and
the standing drawn from it are one; it does a constant number of queries and nothing slow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest

from arena.games.base import Outcome


@dataclass(frozen=True, slots=True)
class StoredResult:
    """A finished match as it was stored; ``faults`` holds a kind or "" a seat."""

    match_id: int
    outcome: Outcome
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchContext:
    """Where a match belongs: what its page links back to."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class MatchCallbacks:
    """Callbacks of the app that asked for a match."""

    started: Callable[[int], None]
    finished: Callable[[StoredResult], None]
    void: Callable[[int], None]
    contexts: Callable[[Sequence[int]], Mapping[int, MatchContext]]


_CALLBACKS: dict[str, MatchCallbacks] = {}


def register(purpose: str, callbacks: MatchCallbacks) -> None:
    """Called once, when the app of that purpose is ready."""
    if _CALLBACKS.setdefault(purpose, callbacks) != callbacks:
        raise RuntimeError(f"callbacks of {purpose} are registered twice")


def callbacks_of(purpose: str) -> MatchCallbacks | None:
    return _CALLBACKS.get(purpose)


def contexts_of(ids_by_purpose: Mapping[str, Sequence[int]]) -> dict[int, MatchContext]:
    """The contexts of many matches at once, one query a purpose."""
    found: dict[int, MatchContext] = {}
    for purpose, match_ids in ids_by_purpose.items():
        callbacks = _CALLBACKS.get(purpose)
        if callbacks is not None and match_ids:
            found.update(callbacks.contexts(match_ids))
    return found


GuestSeat = Callable[[HttpRequest, int], "int | None"]  # the match's id to the visitor's seat; None: they have none
_GUEST_SEATS: list[GuestSeat] = []


def register_guest_seat(guest_seat: GuestSeat) -> None:
    """Called once, when the app that seats visitors without an account is ready; one database query at most."""
    if guest_seat not in _GUEST_SEATS:
        _GUEST_SEATS.append(guest_seat)


def guest_seat_of(request: HttpRequest, match_id: int) -> int | None:
    """The seat on which this browser played the match without an account."""
    found = (guest_seat(request, match_id) for guest_seat in _GUEST_SEATS)
    return next((seat for seat in found if seat is not None), None)
