"""One deal of Suit Pairs: where the cards are, and the effect of each kind of decision.

``stages`` defines which decisions are available. Invariant: every card is in one place; when a decision takes two
cards, the first one is ``pending`` and still counts as part of the hand. After a turn the table is refilled to ten
while the deck lasts, and a player with an empty hand is skipped; the deal ends when both hands are empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final, TypeVar

from arena.games.suit_pairs.cards import CARDS, FULL_DECK, card_set, pile_points

T = TypeVar("T")

HAND: Final = 10
TABLE: Final = 10
DISCARDS: Final = 2  # maximum number of discards per turn that draw cards


class DecisionStage(IntEnum):
    """The kind of decision that the player makes next."""

    INIT = 0
    SWAP = 1
    CAPTURE = 2
    DISCARD_1 = 3
    DISCARD_2 = 4
    PAIR = 5


@dataclass(frozen=True, slots=True)
class Deal:
    """The state of a deal between two decisions. Player 0 begins against player 1. Sets of cards are ints.

    ``deck``: the 22 face-down cards, top first; ``drawn``: how many of them have been drawn. ``player``: the player to
    move, None if the deal is over. ``discarded``: number of discards in this turn that drew cards; ``turn``: number of
    the turn, counted from 1.
    """

    deck: tuple[int, ...]
    hands: tuple[int, int]
    table: int
    piles: tuple[int, int] = (0, 0)
    discards: int = 0
    drawn: int = 0
    player: int | None = 0
    stage: DecisionStage = DecisionStage.INIT
    pending: int | None = None
    swapped: tuple[bool, bool] = (False, False)
    captured: tuple[bool, bool] = (False, False)
    discarded: int = 0
    turn: int = 1

    @property
    def cards_left(self) -> int:
        """Return the number of cards left in the deck."""
        return len(self.deck) - self.drawn

    @property
    def points(self) -> tuple[int, int]:
        """Return the value of each player's pile."""
        return pile_points(self.piles[0]), pile_points(self.piles[1])


def deal_cards(order: Sequence[int]) -> Deal:
    """Deal 52 cards in the given order: ten to each player and ten to the table; the rest is the deck."""
    if card_set(order) != FULL_DECK or len(order) != CARDS:
        raise ValueError("a deal needs each of the 52 cards once")
    first, second, table = order[:HAND], order[HAND : 2 * HAND], order[2 * HAND : 2 * HAND + TABLE]
    return Deal(tuple(order[2 * HAND + TABLE :]), (card_set(first), card_set(second)), card_set(table))


def player_to_move(deal: Deal) -> int:
    """Return the player to move."""
    assert deal.player is not None  # noqa: S101 - nobody acts in a deal that is over
    return deal.player


def swap(deal: Deal, card: int) -> Deal:
    """Move the card to the table, and draw a card."""
    player = player_to_move(deal)
    put = replace(
        deal,
        hands=_replace_value(deal.hands, player, deal.hands[player] & ~(1 << card)),
        table=deal.table | 1 << card,
        swapped=_replace_value(deal.swapped, player, value=True),
    )
    return _draw(put)


def capture(deal: Deal, second: int) -> Deal:
    """Move the pending card and ``second`` to the player's pile, and draw a card."""
    player = player_to_move(deal)
    assert deal.pending is not None  # noqa: S101 - the first of the two
    both = 1 << deal.pending | 1 << second
    taken = replace(
        deal,
        hands=_replace_value(deal.hands, player, deal.hands[player] & ~both),
        piles=_replace_value(deal.piles, player, deal.piles[player] | both),
        captured=_replace_value(deal.captured, player, value=True),
    )
    return _draw(taken)


def discard(deal: Deal, card: int) -> Deal:
    """Remove the card from play, and draw two: the first to the hand, the second to the table."""
    drawn = _draw(remove_from_play(deal, card))
    if drawn.cards_left:
        drawn = replace(drawn, table=drawn.table | 1 << drawn.deck[drawn.drawn], drawn=drawn.drawn + 1)
    return replace(drawn, discarded=drawn.discarded + 1)


def pair(deal: Deal, table_card: int) -> Deal:
    """Move the pending card and its partner ``table_card`` to the player's pile."""
    player = player_to_move(deal)
    assert deal.pending is not None  # noqa: S101 - the card of the hand
    return replace(
        deal,
        hands=_replace_value(deal.hands, player, deal.hands[player] & ~(1 << deal.pending)),
        table=deal.table & ~(1 << table_card),
        piles=_replace_value(deal.piles, player, deal.piles[player] | 1 << deal.pending | 1 << table_card),
    )


def remove_from_play(deal: Deal, card: int) -> Deal:
    """Remove the card from play."""
    player = player_to_move(deal)
    hands = _replace_value(deal.hands, player, deal.hands[player] & ~(1 << card))
    return replace(deal, hands=hands, discards=deal.discards | 1 << card)


def _draw(deal: Deal) -> Deal:
    """Draw the top card, if any, into the player's hand."""
    if not deal.cards_left:
        return deal
    player = player_to_move(deal)
    hands = _replace_value(deal.hands, player, deal.hands[player] | 1 << deal.deck[deal.drawn])
    return replace(deal, hands=hands, drawn=deal.drawn + 1)


def end_turn(deal: Deal) -> Deal:
    """Refill the table and pass the turn; if both hands are empty, the deal is over."""
    missing = max(0, min(TABLE - deal.table.bit_count(), deal.cards_left))
    filled = deal.deck[deal.drawn : deal.drawn + missing]
    other = 1 - player_to_move(deal)
    player = next((player for player in (other, 1 - other) if deal.hands[player]), None)
    return replace(
        deal,
        table=deal.table | card_set(filled),
        drawn=deal.drawn + missing,
        player=player,
        stage=DecisionStage.INIT,
        pending=None,
        discarded=0,
        turn=deal.turn + 1,
    )


def _replace_value(pair: tuple[T, T], player: int, value: T) -> tuple[T, T]:
    """Return the pair of values, with the value of ``player`` replaced by ``value``."""
    return (value, pair[1]) if player == 0 else (pair[0], value)
