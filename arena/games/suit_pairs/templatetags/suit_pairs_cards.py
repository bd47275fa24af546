"""Cards and seats of Suit Pairs as templates need them."""

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
class ShownCard:
    """``name`` as in "10H"; ``suit`` one of C, D, H and S."""

    name: str
    rank: str
    suit: str
    symbol: str


@dataclass(frozen=True, slots=True)
class Place:
    """One player's side of the table; ``is_own`` of the one that is drawn below it, ``is_reader`` of who reads."""

    seat: int
    name: str
    is_own: bool
    is_reader: bool


@register.filter
def shown_cards(cards: Sequence[int] | None) -> list[ShownCard]:
    """Cards by their numbers; none where they are hidden."""
    return [_shown(card) for card in cards or ()]


@register.filter
def pending_of(pending: Sequence[int | None], seat: int) -> list[ShownCard]:
    """The first of two cards that a seat has chosen, if it has."""
    return [_shown(card) for card in (pending[seat],) if card is not None]


@register.filter
def hand_of(view: Mapping[str, Any], place: Place) -> list[ShownCard | None]:
    """The cards of a hand; None for each that is hidden."""
    if not view:
        return []
    hand = view["hands"][place.seat]
    return [None] * view["hand_sizes"][place.seat] if hand is None else list(shown_cards(hand))


@register.filter
def shown_ranks(cards: Sequence[int] | None) -> list[dict[str, Any]]:
    """A pile by rank from the ace: what is a third or fourth of its rank brings extra points."""
    by_rank = {rank: [card for card in cards or () if card % RANKS == rank] for rank in range(RANKS)}
    return [
        {"rank": RANK_NAMES[rank], "cards": shown_cards(found), "is_set": len(found) >= _THIRD}
        for rank, found in by_rank.items()
        if found
    ]


@register.simple_tag
def places(snapshot: Mapping[str, Any]) -> list[Place]:
    """Both sides from the top: who plays sits below, otherwise the first seat."""
    reader = snapshot.get("reader")
    person = reader["seat"] if reader and reader["is"] == "person" else None
    own = person or 0
    names = [seat["name"] for seat in snapshot["seats"]]
    return [Place(seat, names[seat], seat == own, seat == person) for seat in (SEATS - 1 - own, own)]


@register.filter
def of_place(values: Sequence[Any] | None, place: Place) -> Any:
    """One side's part of a list by seats; None before there is a view."""
    return values[place.seat] if values else None


@register.filter
def points_by_deal(view: Mapping[str, Any]) -> list[list[int]]:
    """Points by seat of every deal, the shown one included."""
    return [*view["over"], view["points"]] if view else []


@register.filter
def total_of(view: Mapping[str, Any], seat: int) -> int:
    """One seat's points of all deals so far."""
    return sum(points[seat] for points in points_by_deal(view))


def _shown(card: int) -> ShownCard:
    suit = card // RANKS
    return ShownCard(NAMES[card], RANK_NAMES[card % RANKS], SUIT_NAMES[suit], SYMBOLS[suit])
