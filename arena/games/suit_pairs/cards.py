"""The 52 cards of Suit Pairs, sets of cards, and their values.

A card is suit * 13 + rank - 1, from 0 to 51; a set of cards is an int in which the bits of its cards are 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

SUITS: Final = 4
RANKS: Final = 13
CARDS: Final = SUITS * RANKS
FULL_DECK: Final = (1 << CARDS) - 1
SUIT_NAMES: Final = "CDHS"  # clubs, diamonds, hearts, spades
RANK_NAMES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
NAMES: Final = tuple(f"{RANK_NAMES[card % RANKS]}{SUIT_NAMES[card // RANKS]}" for card in range(CARDS))

POINTS: Final = (1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 5)  # points of a card by rank, from 1
THIRD: Final = 4  # extra points for the third card of a rank in a pile, and again for the fourth
MAX_POINTS: Final = SUITS * sum(POINTS) + RANKS * 2 * THIRD

SUIT_SETS: Final = tuple(((1 << RANKS) - 1) << suit * RANKS for suit in range(SUITS))
RANK_SETS: Final = tuple(sum(1 << suit * RANKS + rank for suit in range(SUITS)) for rank in range(RANKS))
_WORTH_SETS: Final = tuple(
    (worth, sum(RANK_SETS[rank] for rank in range(RANKS) if POINTS[rank] == worth)) for worth in sorted(set(POINTS))
)


def cards_in(cards: int) -> Iterator[int]:
    """Yield the cards of a set, in ascending order."""
    while cards:
        lowest = cards & -cards
        yield lowest.bit_length() - 1
        cards ^= lowest


def card_set(cards: Iterable[int]) -> int:
    """Return the set of these cards."""
    found = 0
    for card in cards:
        found |= 1 << card
    return found


def card_suit(card: int) -> int:
    """Return the suit of a card, from 0 to 3."""
    return card // RANKS


def pile_points(pile: int) -> int:
    """Return the value of a pile: its card points, plus 4 points each for the third and the fourth card of a rank."""
    points = sum(worth * (pile & cards).bit_count() for worth, cards in _WORTH_SETS)
    return points + THIRD * sum(max(0, (pile & cards).bit_count() - 2) for cards in RANK_SETS)


def completing_cards(pile: int, unseen: int) -> int:
    """Return the cards of ``unseen`` that would be the third or fourth of a rank in ``pile``."""
    found = 0
    for cards in RANK_SETS:
        if (pile & cards).bit_count() >= 2:
            found |= cards & unseen
    return found


def find_card(name: str) -> int | None:
    """Return the card with this name, such as "10H" or "qs"; None if there is no such card."""
    return _BY_NAME.get(name.upper())


_BY_NAME: Final = {name: card for card, name in enumerate(NAMES)}
