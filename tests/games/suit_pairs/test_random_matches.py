"""In random deals of Suit Pairs no card is lost, every deal ends, and the points are correct.

``tests/bots/suit_pairs/training/test_deal.py`` plays 100,000 of them alongside the compiled rules.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from arena.games.suit_pairs.cards import (
    CARDS,
    FULL_DECK,
    card_set,
    pile_points,
)
from arena.games.suit_pairs.deal import (
    Deal,
    DecisionStage,
    deal_cards,
)
from arena.games.suit_pairs.rules import MAX_DECISIONS
from arena.games.suit_pairs.stages import ENTER, actions_in, legal_actions, play

QUICK_MATCHES = 2_000


def check_places(deal: Deal) -> None:
    """Assert that every card is in exactly one place."""
    places = [*deal.hands, deal.table, *deal.piles, deal.discards, card_set(deal.deck[deal.drawn :])]
    assert sum(place.bit_count() for place in places) == CARDS
    assert sum(places) == FULL_DECK


def count_points(pile: int) -> int:
    """Return the points of a pile, counted card by card as the rules state them."""
    ranks = [card % 13 + 1 for card in range(CARDS) if pile >> card & 1]
    worth = {**dict.fromkeys(range(1, 8), 1), **dict.fromkeys(range(8, 11), 2), 11: 3, 12: 3, 13: 5}
    return sum(worth[rank] for rank in ranks) + sum(4 * max(0, ranks.count(rank) - 2) for rank in set(ranks))


def check_ended(deal: Deal) -> None:
    """Assert that a finished deal has lost no card and that its points add up."""
    check_places(deal)
    assert deal.hands == (0, 0)
    assert deal.points == (count_points(deal.piles[0]), count_points(deal.piles[1]))


def check_averages(deals: Sequence[Deal]) -> None:
    """Assert that deals average about 18 to 19 turns and about 44 to 50 points per player."""
    assert 17.5 < sum(deal.turn - 1 for deal in deals) / len(deals) < 19.5
    assert 43 < sum(sum(deal.points) for deal in deals) / len(deals) / 2 < 51


@pytest.mark.long
def test_random_matches_conserve_cards_and_end() -> None:
    """No card is lost, every deal ends, every stage has a legal action, and points add up."""
    rng = random.Random(52)
    ended = []
    for _ in range(QUICK_MATCHES):
        order = list(range(CARDS))
        rng.shuffle(order)
        deal = deal_cards(order)
        decisions = 0
        while deal.player is not None:
            legal = actions_in(legal_actions(deal))
            assert legal
            assert ENTER + DecisionStage.INIT not in legal
            deal = play(deal, rng.choice(legal))
            decisions += 1
            assert decisions <= MAX_DECISIONS
        check_ended(deal)
        ended.append(deal)
    check_averages(ended)


@pytest.mark.long
def test_every_decision_conserves_the_cards() -> None:
    rng = random.Random(7)
    for _ in range(50):
        order = list(range(CARDS))
        rng.shuffle(order)
        deal = deal_cards(order)
        while deal.player is not None:
            deal = play(deal, rng.choice(actions_in(legal_actions(deal))))
            check_places(deal)
            assert all(deal.points[player] == pile_points(deal.piles[player]) for player in (0, 1))
