"""The house bots greedy and greedy_rank, compiled; they make the same decisions as those in ``bots.suit_pairs.house``.

Values are integers in fifths of a point, because all probabilities in greedy_rank are multiples of a fifth. Of several
equally good actions, the first is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import jax
import jax.numpy as jnp
from jax import Array

from arena.games.suit_pairs.cards import CARDS, POINTS, RANKS, SUITS, THIRD
from arena.games.suit_pairs.deal import DecisionStage
from bots.suit_pairs.training.deal import DISCARD_PLACE, DealState, legal_mask
from bots.training.selfplay.environment import Policy

FIFTHS: Final = 5
_CHANCES: Final = (0, 5, 8)  # the probabilities in decisions/ranks.py times THIRD, in fifths
_DENIED: Final = 7
_NEVER: Final = -(10**6)
_PAIRS: Final = 100  # the penalty in decision.py for giving cards away although a pair is available
_WORTH: Final = FIFTHS * jnp.tile(jnp.array(POINTS, dtype=jnp.int32), SUITS)
_RANK: Final = jnp.arange(CARDS) % RANKS
_SUIT: Final = jnp.arange(CARDS) // RANKS


@dataclass(frozen=True, slots=True)
class CardValues:
    """The values of all cards in one state, in fifths of a point.

    ``one``: what each card is worth in the player's pile; ``two``: what it is worth there together with another card of
    its rank; ``cost``: what losing it costs.
    """

    one: Array
    two: Array
    cost: Array


def _count_same_rank(cards: Array) -> Array:
    """Return, for each card, how many of ``cards`` have the same rank."""
    return jnp.tile(cards.reshape(SUITS, RANKS).sum(axis=0), SUITS)


def _third_cards(before: Array, after: Array) -> Array:
    return FIFTHS * THIRD * (jnp.maximum(after - 2, 0) - jnp.maximum(before - 2, 0))


def _immediate_values(deal: DealState) -> CardValues:
    """Return card values based only on immediate points."""
    mine = _count_same_rank(deal.pile(deal.player))
    return CardValues(_WORTH + _third_cards(mine, mine + 1), 2 * _WORTH + _third_cards(mine, mine + 2), _WORTH)


def _prospective_values(deal: DealState) -> CardValues:
    """Return card values based on immediate, future and denied points."""
    at_once = _immediate_values(deal)
    opponent = deal.pile(1 - deal.player)
    mine = _count_same_rank(deal.pile(deal.player))
    gone = _count_same_rank(opponent | (deal.place == DISCARD_PLACE))
    denied = jnp.where(_count_same_rank(opponent) >= 2, _DENIED, 0)

    def expected_bonus(count: Array) -> Array:
        missing = jnp.clip(SUITS - count - gone, 0, 2)
        return jnp.where((count == 2) | (count == 3), jnp.array(_CHANCES)[missing], 0)

    return CardValues(
        at_once.one + expected_bonus(mine + 1) - expected_bonus(mine) + denied,
        at_once.two + expected_bonus(mine + 2) - expected_bonus(mine) + 2 * denied,
        _WORTH + jnp.where(mine >= 2, _CHANCES[-1], 0) + denied,
    )


def _choose_action(deal: DealState, values: CardValues) -> Array:
    hand, table, legal = deal.hand(deal.player), deal.table, legal_mask(deal)
    together = jnp.where(
        _RANK[:, None] == _RANK[None, :], values.two[:, None], values.one[:, None] + values.one[None, :]
    )
    partners = hand[:, None] & table[None, :] & (_SUIT[:, None] == _SUIT[None, :])
    others = hand[:, None] & hand[None, :] & ~jnp.eye(CARDS, dtype=bool)
    paired, captured = (jnp.where(chosen, together, _NEVER).max(axis=1) for chosen in (partners, others))
    pairs = partners.any()
    cost = jnp.where(hand, -values.cost, _NEVER)
    best = cost.max() - FIFTHS * _PAIRS * pairs
    stages = jnp.stack(
        [
            jnp.int32(_NEVER),
            best,
            captured.max(),
            best - FIFTHS,
            best - FIFTHS,
            jnp.where(pairs, paired.max(), best - FIFTHS),
        ]
    )
    second = together[jnp.maximum(deal.pending, 0)]
    capturing, pairing = deal.stage == DecisionStage.CAPTURE, (deal.stage == DecisionStage.PAIR) & pairs
    cards = jnp.where(capturing, captured, jnp.where(pairing, paired, cost))
    cards = jnp.where(deal.pending >= 0, second, cards)
    return jnp.argmax(jnp.where(legal, jnp.concatenate([cards, stages]), 2 * _NEVER))


def _policy_from_values(value: Callable[[DealState], CardValues]) -> Policy:
    def policy(deal: DealState, key: Array) -> Array:
        return _choose_action(deal, value(deal))

    return policy


def random_action(deal: DealState, key: Array) -> Array:
    """Return a random legal action."""
    return jax.random.categorical(key, jnp.where(legal_mask(deal), 0.0, -jnp.inf))


OPPONENTS: Final[Mapping[str, Policy]] = {
    "random": random_action,
    "greedy": _policy_from_values(_immediate_values),
    "greedy_rank": _policy_from_values(_prospective_values),
}
