"""The table of moves under a match: what each answer cost, a page at a time.

Invariants: of two seats all moves are listed, newest first; of a larger table those of the shown turn in the order
of the seats, or with ``?seat=`` those of one seat in all turns, newest first. ``static/js/matches/moves-model.js``
selects the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import template
from django.core.paginator import Page, Paginator

register = template.Library()

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class MoveLine:
    """One move; ``seat`` and ``move`` as in a snapshot."""

    turn: int
    seat: Mapping[str, Any]
    move: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MovesTable:
    """``seat``: the one that was chosen; ``by_turn``: whether the moves are those of the turn ``turn`` alone."""

    page: Page[MoveLine]
    seat: int | None
    by_turn: bool
    turn: int


@register.simple_tag
def shown_turn(snapshot: Mapping[str, Any], at: str | None) -> Mapping[str, Any]:
    """The turn that the address names as ``?at=``, else the newest; empty before the first."""
    turns: Sequence[Mapping[str, Any]] = snapshot["turns"]
    if at and at.isdecimal() and len(at) < 6 and int(at) < len(turns):
        return turns[int(at)]
    return turns[-1] if turns else {}


@register.simple_tag
def moves_table(snapshot: Mapping[str, Any], asked: Mapping[str, str], shown: Mapping[str, Any]) -> MovesTable:
    """The moves that the address asks for; ``shown`` is the turn above. What does not exist is ignored."""
    seats, turns = snapshot["seats"], snapshot["turns"]
    wish = asked.get("seat", "")
    seat = int(wish) if wish.isdecimal() and len(wish) < 6 and int(wish) < len(seats) else None
    by_turn = seat is None and len(seats) > 2
    lines = list(_lines(seats, [shown] if by_turn and shown else [] if by_turn else turns[::-1], seat))
    page = Paginator(lines, PER_PAGE).get_page(asked.get("moves"))
    return MovesTable(page, seat, by_turn, shown.get("number", 0))


def _lines(
    seats: Sequence[Mapping[str, Any]], turns: Sequence[Mapping[str, Any]], seat: int | None
) -> Iterator[MoveLine]:
    for turn in turns:
        for move in turn["moves"]:
            if seat in (None, move["seat"]):
                yield MoveLine(turn["number"], seats[move["seat"]], move)
