"""The paginated move table below a match, with the time taken for each answer.

Invariants: with two seats, all moves are listed, newest first. At a larger table, the moves of the shown turn are
listed in seat order or, with ``?seat=``, the moves of one seat in all turns, newest first.
``static/js/matches/moves-model.js`` selects the same moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from django import template
from django.core.paginator import Page, Paginator

register = template.Library()

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class MoveRow:
    """One move; ``seat`` and ``move`` are as in a snapshot."""

    turn: int
    seat: Mapping[str, Any]
    move: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MovesTable:
    """The moves to list. ``seat``: the chosen seat; ``by_turn``: whether only the moves of ``turn`` are listed."""

    page: Page[MoveRow]
    seat: int | None
    by_turn: bool
    turn: int


@register.simple_tag
def shown_turn(
    snapshot: Mapping[str, Any], at: str | None, history: Sequence[Mapping[str, Any]] | str = ""
) -> Mapping[str, Any]:
    """Return the turn numbered ``at``, as given in the URL, otherwise the newest turn; {} before the first turn.

    ``history``: all turns of a long match, of which the snapshot contains only the newest.
    """
    turns: Sequence[Mapping[str, Any]] = snapshot["turns"] if isinstance(history, str) else history
    if at and at.isdecimal() and len(at) < 6 and int(at) < len(turns):
        return turns[int(at)]
    return turns[-1] if turns else {}


@register.simple_tag
def moves_table(
    snapshot: Mapping[str, Any],
    query: Mapping[str, str],
    shown: Mapping[str, Any],
    history: Sequence[Mapping[str, Any]] | str = "",
) -> MovesTable:
    """Return the moves that the URL's ``query`` requests; invalid parameters are ignored.

    ``shown``: the displayed turn; ``history``: see ``shown_turn``.
    """
    seats = snapshot["seats"]
    number = query.get("seat", "")
    seat = int(number) if number.isdecimal() and len(number) < 6 and int(number) < len(seats) else None
    by_turn = seat is None and len(seats) > 2
    if by_turn:
        lines: Sequence[MoveRow] = list(_move_rows(seats, [shown] if shown else [], None))
    elif snapshot.get("first") and not isinstance(history, str):
        lines = _MoveRowsOfTurns(seats, history, seat)
    else:
        lines = list(_move_rows(seats, snapshot["turns"][::-1], seat))
    page = Paginator(lines, PER_PAGE).get_page(query.get("moves"))
    return MovesTable(page, seat, by_turn, shown.get("number", 0))


class _MoveRowsOfTurns(Sequence[MoveRow]):
    """The rows of a long match's moves, newest first, for a paginator that counts turns."""

    def __init__(
        self, seats: Sequence[Mapping[str, Any]], turns: Sequence[Mapping[str, Any]], seat: int | None
    ) -> None:
        self._seats, self._turns, self._seat = seats, turns, seat

    def __len__(self) -> int:
        return len(self._turns)

    @overload
    def __getitem__(self, index: int) -> MoveRow: ...
    @overload
    def __getitem__(self, index: slice) -> list[MoveRow]: ...
    def __getitem__(self, index: int | slice) -> MoveRow | list[MoveRow]:
        if isinstance(index, int):
            raise TypeError("a turn can have any number of moves: use a slice")
        newest = range(len(self._turns))[::-1][index]
        turns = self._turns[newest[-1] : newest[0] + 1] if newest else []
        return list(_move_rows(self._seats, turns[::-1], self._seat))


def _move_rows(
    seats: Sequence[Mapping[str, Any]], turns: Sequence[Mapping[str, Any]], seat: int | None
) -> Iterator[MoveRow]:
    for turn in turns:
        for move in turn["moves"]:
            if seat in (None, move["seat"]):
                yield MoveRow(turn["number"], seats[move["seat"]], move)
