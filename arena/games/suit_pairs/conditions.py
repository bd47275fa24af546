"""Stage conditions: when a stage is available to the player to move, and which cards may be chosen in it."""

from __future__ import annotations

from arena.games.suit_pairs.cards import SUIT_SETS, card_suit
from arena.games.suit_pairs.deal import DISCARDS, Deal, player_to_move

# Whether a stage is open.


def can_swap(deal: Deal) -> bool:
    return not deal.swapped[player_to_move(deal)] and deal.cards_left > 0


def can_capture(deal: Deal) -> bool:
    return not deal.captured[player_to_move(deal)] and hand_cards(deal).bit_count() >= 2


def can_pair(deal: Deal) -> bool:
    return bool(pairable_hand_cards(deal))


def may_draw_first(deal: Deal) -> bool:
    return deal.discarded == 0 and deal.cards_left > 0 and not can_pair(deal)


def may_draw_again(deal: Deal) -> bool:
    return 0 < deal.discarded < DISCARDS and deal.cards_left > 0 and not can_pair(deal)


def must_pass(deal: Deal) -> bool:
    return (deal.discarded == DISCARDS or not deal.cards_left) and not can_pair(deal)


# Which cards may be chosen.


def hand_cards(deal: Deal) -> int:
    return deal.hands[player_to_move(deal)]


def other_hand_cards(deal: Deal) -> int:
    """Return the set of the cards in the hand, except the pending one."""
    return hand_cards(deal) & ~(1 << _pending_card(deal))


def pairable_hand_cards(deal: Deal) -> int:
    """Return the set of the cards in the hand that have a partner on the table."""
    return pairable_cards(hand_cards(deal), deal.table)


def table_partners(deal: Deal) -> int:
    """Return the set of the cards on the table that have the same suit as the pending card."""
    return deal.table & SUIT_SETS[card_suit(_pending_card(deal))]


def pairable_cards(cards: int, table: int) -> int:
    """Return the ``cards`` that have a partner of their suit on the table."""
    found = 0
    for suit in SUIT_SETS:
        if table & suit:
            found |= cards & suit
    return found


def _pending_card(deal: Deal) -> int:
    assert deal.pending is not None  # noqa: S101 - a second card is asked for after a first
    return deal.pending
