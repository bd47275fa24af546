"""Which seat a visitor without an account played; the apps above know it, as they do for ``arena.matches.hooks``."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest

GuestSeat = Callable[[HttpRequest, int], "int | None"]  # the match's id to the visitor's seat; None: they have none
_registered: list[GuestSeat] = []


def register(guest_seat: GuestSeat) -> None:
    """To be called in ``AppConfig.ready``; one database query at most."""
    if guest_seat not in _registered:
        _registered.append(guest_seat)


def guest_seat_of(request: HttpRequest, match_id: int) -> int | None:
    """The seat on which this browser played the match without an account."""
    found = (guest_seat(request, match_id) for guest_seat in _registered)
    return next((seat for seat in found if seat is not None), None)
