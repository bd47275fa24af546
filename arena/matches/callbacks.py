"""Callbacks from higher-level apps, selected by a match's purpose.

A callback runs in the transaction that stores the change, so that a result and the standings derived from it are
consistent. It runs a constant number of queries and does nothing slow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest

from arena.games.base import Outcome


@dataclass(frozen=True, slots=True)
class StoredResult:
    """A finished match as stored; ``faults``: the kind of fault for each seat, "" for none."""

    match_id: int
    outcome: Outcome
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchContext:
    """The context to which a match belongs, such as a tournament; the match page links to it.

    ``match_name``: the match's name in this context, such as "Semifinal, encounter 2"; "" if it has none.
    """

    name: str
    url: str
    match_name: str = ""

    @property
    def label(self) -> str:
        return f"{self.name} · {self.match_name}" if self.match_name else self.name


def _ignore(_change: object) -> None:
    pass


def _no_contexts(_match_ids: Sequence[int]) -> Mapping[int, MatchContext]:
    return {}


@dataclass(frozen=True, slots=True)
class MatchCallbacks:
    """The callbacks of an app for the matches that it requests; changes without a callback are ignored."""

    started: Callable[[int], None] = _ignore
    finished: Callable[[StoredResult], None] = _ignore
    void: Callable[[int], None] = _ignore
    contexts: Callable[[Sequence[int]], Mapping[int, MatchContext]] = _no_contexts


_CALLBACKS: dict[str, MatchCallbacks] = {}


def register(purpose: str, callbacks: MatchCallbacks) -> None:
    """Register an app's callbacks for the matches with this purpose; called once, when the app is ready."""
    if _CALLBACKS.setdefault(purpose, callbacks) != callbacks:
        raise RuntimeError(f"callbacks for {purpose} are registered twice")


def callbacks_of(purpose: str) -> MatchCallbacks | None:
    return _CALLBACKS.get(purpose)


def contexts_of(ids_by_purpose: Mapping[str, Sequence[int]]) -> dict[int, MatchContext]:
    """Return the contexts of matches (such as their tournaments) by match id. Runs one query per purpose."""
    found: dict[int, MatchContext] = {}
    for purpose, match_ids in ids_by_purpose.items():
        callbacks = _CALLBACKS.get(purpose)
        if callbacks is not None and match_ids:
            found.update(callbacks.contexts(match_ids))
    return found


GuestSeat = Callable[[HttpRequest, int], "int | None"]  # takes the match's id, returns the visitor's seat or None
_GUEST_SEATS: list[GuestSeat] = []


def register_guest_seat(guest_seat: GuestSeat) -> None:
    """Register the function that finds a guest's seat.

    Called once, by the app that seats guests. The function runs at most one query.
    """
    if guest_seat not in _GUEST_SEATS:
        _GUEST_SEATS.append(guest_seat)


def guest_seat_of(request: HttpRequest, match_id: int) -> int | None:
    """Return the seat that a guest (a person without an account) played in the match from this browser, if any."""
    found = (guest_seat(request, match_id) for guest_seat in _GUEST_SEATS)
    return next((seat for seat in found if seat is not None), None)
