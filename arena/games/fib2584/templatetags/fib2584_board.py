"""Template tags that render a 2584 board from its six tile indices, which a view contains as hexadecimal digits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from arena.core.number_format import format_number
from arena.games.fib2584.board import DIRECTIONS, TILES
from arena.games.fib2584.board import board_text as digits_of
from arena.games.fib2584.site import DIRECTION_NAMES

register = template.Library()

_EMPTY = "000000"


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile. ``index``: 0 for an empty cell; ``value``: the number that readers see."""

    index: int
    value: str


@dataclass(frozen=True, slots=True)
class SeatBoard:
    """A seat's part of a view. ``seat``: the seat in the snapshot. All numbers are None before the first turn."""

    seat: Mapping[str, Any]
    board: str
    score: int | None
    mean: float | None
    adjusted: float | None
    best_tile: str
    best_game: int | None
    is_out: bool


@register.filter
def tiles(board: str) -> list[Tile]:
    """Return the six tiles of a board."""
    indices = [int(digit, 16) for digit in board]
    return [Tile(index, str(TILES[index]) if index else "") for index in indices]


@register.filter
def board_text(board: str) -> str:
    """Describe a board in words, row by row."""
    named = [tile.value or _("empty") for tile in tiles(board)]
    comma = pgettext("between names", ", ")
    return _("Upper row: %(upper)s. Lower row: %(lower)s.") % {
        "upper": comma.join(named[:3]),
        "lower": comma.join(named[3:]),
    }


@register.filter
def direction_name(direction: int | None) -> str:
    """Return the name of a direction in the language of the page."""
    return "" if direction is None else str(DIRECTION_NAMES[DIRECTIONS[direction]])


@register.filter
def board_digits(board: int) -> str:
    """Return the six digits of a packed board."""
    return digits_of(board)


@register.filter
def signed(value: float) -> str:
    """Format a difference with its sign, such as "+3.1" or "−0.4"; 0.0 has no sign."""
    text = format_number(value, 1)
    return f"+{text}" if value > 0 and float(f"{value:.1f}") else text


@register.filter
def solver_url(board: str) -> str:
    """Return the solver page's URL for a board before a move."""
    return f"{reverse('fib2584-solver')}?before={'-'.join(str(tile.index) for tile in tiles(board))}"


@register.filter
def seat_boards(snapshot: Mapping[str, Any], view: Mapping[str, Any] | None) -> list[SeatBoard]:
    """Return each seat's part of a view; empty boards if there is no view yet."""
    return [_seat_board(seat, view) for seat in snapshot["seats"]]


def _seat_board(seat: Mapping[str, Any], view: Mapping[str, Any] | None) -> SeatBoard:
    if not view:
        return SeatBoard(seat, _EMPTY, None, None, None, "", None, is_out=False)
    index = seat["index"]
    return SeatBoard(
        seat,
        board=view["boards"][index],
        score=view["scores"][index],
        mean=view["totals"][index] / view["game"],
        adjusted=view["adjusted"][index],
        best_tile=str(TILES[view["best_tiles"][index]]),
        best_game=view["best_games"][index],
        is_out=index in view["out"],
    )
