"""Encode a decision as 384 numbers, which bots (``state.vector``) and the learned policy observe.

Seven planes of 52 cards come first: the hand, the table, the player's own pile including any pending card, the
opponent's pile, the pending card, the cards that would be the third or fourth of their rank in the player's own pile,
and the same for the opponent's pile. They are followed by 20 scalar values.
"""

from __future__ import annotations

from typing import Final

from arena.games.suit_pairs.cards import CARDS, FULL_DECK, cards_in, completing_cards
from arena.games.suit_pairs.deal import DISCARDS, HAND, TABLE, Deal, DecisionStage
from arena.games.suit_pairs.match import State
from arena.games.suit_pairs.stages import ACTIONS, legal_actions

PLANES: Final = 7
VALUES: Final = 20
SIZE: Final = PLANES * CARDS + VALUES
_DECK: Final = CARDS - 2 * HAND - TABLE


def observation(state: State) -> list[float]:
    """Return the observation of the seat to move. Raises ValueError if no seat is to move."""
    deal = state.deal
    if deal.player is None:
        raise ValueError("nobody is to move")
    return [*_planes(deal, deal.player), *_values(deal, deal.player)]


def _planes(deal: Deal, me: int) -> list[float]:
    """Return the planes one after the other: 1 for each card that belongs to the plane's set, 0 for the others."""
    other = 1 - me
    pending = 0 if deal.pending is None else 1 << deal.pending
    own, theirs = deal.piles[me] | pending, deal.piles[other]
    unseen = FULL_DECK & ~(own | theirs | deal.discards)
    planes = (
        deal.hands[me],
        deal.table,
        own,
        theirs,
        pending,
        completing_cards(own, unseen),
        completing_cards(theirs, unseen),
    )
    found = [0.0] * (PLANES * CARDS)
    for number, plane in enumerate(planes):
        for card in cards_in(plane):
            found[number * CARDS + card] = 1.0
    return found


def _values(deal: Deal, me: int) -> list[float]:
    """Return the scalar values: stage, swaps and captures not yet used, scores, numbers of cards, turn and seat."""
    other = 1 - me
    points, their_points = deal.points[me], deal.points[other]
    return [
        *(float(deal.stage is stage) for stage in DecisionStage),
        float(not deal.swapped[me]),
        float(not deal.captured[me]),
        float(not deal.swapped[other]),
        float(not deal.captured[other]),
        points / 50,
        their_points / 50,
        (points - their_points) / 20,
        deal.hands[me].bit_count() / HAND,
        deal.hands[other].bit_count() / HAND,
        deal.cards_left / _DECK,
        deal.discarded / DISCARDS,
        deal.table.bit_count() / TABLE,
        deal.turn / 20,
        float(me == 1),
    ]


def mask(state: State) -> list[bool]:
    """Return, for each of the 58 actions, whether it is legal."""
    legal = legal_actions(state.deal)
    return [bool(legal >> action & 1) for action in range(ACTIONS)]
