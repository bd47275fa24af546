"""Template tags for cards and seats of Suit Pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import template

from arena.games.suit_pairs.cards import NAMES, RANK_NAMES, RANKS, SUIT_NAMES
from arena.games.suit_pairs.match import SEATS
from arena.games.suit_pairs.site import SYMBOLS

register = template.Library()
_THIRD = 3


@dataclass(frozen=True, slots=True)
class DisplayedCard:
    """A card to show. ``name``: for example, "10H"; ``suit``: C, D, H or S."""

    name: str
    rank: str
    suit: str
    symbol: str


@dataclass(frozen=True, slots=True)
class TableSide:
    """One player's side of the table.

    ``is_own``: whether it is the lower side; ``is_reader``: whether its player is the reader.
    """

    seat: int
    name: str
    is_own: bool
    is_reader: bool


@register.filter
def displayed_cards(cards: Sequence[int] | None) -> list[DisplayedCard]:
    """Return the cards with these numbers; empty if they are hidden."""
    return [_displayed_card(card) for card in cards or ()]


@register.filter
def pending_card(pending: Sequence[int | None], seat: int) -> list[DisplayedCard]:
    """Return a list with the seat's pending card; [] if there is none or the card is hidden."""
    return [_displayed_card(card) for card in (pending[seat],) if card is not None]


@register.filter
def side_hand(view: Mapping[str, Any], place: TableSide) -> list[DisplayedCard | None]:
    """Return the cards of a hand; None for each hidden one."""
    if not view:
        return []
    hand = view["hands"][place.seat]
    return [None] * view["hand_sizes"][place.seat] if hand is None else list(displayed_cards(hand))


@register.filter
def displayed_ranks(cards: Sequence[int] | None) -> list[dict[str, Any]]:
    """Return a pile's cards grouped by rank, from the ace; the third and fourth card of a rank earn extra points."""
    by_rank = {rank: [card for card in cards or () if card % RANKS == rank] for rank in range(RANKS)}
    return [
        {"rank": RANK_NAMES[rank], "cards": displayed_cards(found), "is_set": len(found) >= _THIRD}
        for rank, found in by_rank.items()
        if found
    ]


@register.simple_tag
def table_sides(snapshot: Mapping[str, Any]) -> list[TableSide]:
    """Return the two sides of the table, the upper side first.

    The lower side is the reader's, or the first seat's for readers without a seat.
    """
    reader = snapshot.get("reader")
    person = reader["seat"] if reader and reader["is"] == "person" else None
    own = person or 0
    names = [seat["name"] for seat in snapshot["seats"]]
    return [TableSide(seat, names[seat], seat == own, seat == person) for seat in (SEATS - 1 - own, own)]


@register.filter
def side_value(values: Sequence[Any] | None, place: TableSide) -> Any:
    """Return one side's item from a list indexed by seat; None if there is no list."""
    return values[place.seat] if values else None


@register.filter
def points_by_deal(view: Mapping[str, Any]) -> list[list[int]]:
    """Return the points in each deal by seat, including the current deal."""
    return [*view["over"], view["points"]] if view else []


@register.filter
def total_points(view: Mapping[str, Any], seat: int) -> int:
    """Return one seat's points in all deals so far."""
    return sum(points[seat] for points in points_by_deal(view))


def _displayed_card(card: int) -> DisplayedCard:
    suit = card // RANKS
    return DisplayedCard(NAMES[card], RANK_NAMES[card % RANKS], SUIT_NAMES[suit], SYMBOLS[suit])
