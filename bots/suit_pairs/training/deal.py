"""One deal of Suit Pairs, compiled by JAX: the rules of ``arena.games.suit_pairs.stages`` without branches.

Every card is in one place, so a deal is an array of 52 places and a few scalars. Cards are drawn by comparing their
depths in the deck, never by an index. If only one stage is open, it is entered automatically, as in matches.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import jax
import jax.numpy as jnp
from jax import Array

from arena.games.suit_pairs.cards import CARDS, POINTS, RANKS, SUITS, THIRD
from arena.games.suit_pairs.deal import DISCARDS, HAND, TABLE, DecisionStage
from arena.games.suit_pairs.stages import ACTIONS, ENTER
from bots.training.selfplay.environment import Environment

DECK_PLACE, HAND_PLACE, TABLE_PLACE, PILE_PLACE, DISCARD_PLACE = 0, 1, 3, 4, 6  # player 1's places are one higher
DECK: Final = CARDS - 2 * HAND - TABLE
NO_CARD: Final = -1
_CARD: Final = jnp.arange(CARDS, dtype=jnp.int32)
_WORTH: Final = jnp.tile(jnp.array(POINTS, dtype=jnp.int32), SUITS)


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class DealState:
    """The state of a deal between two decisions.

    ``place``: the place of each card. ``depth``: the card's position in the initial deck, starting at 0 at the top, or
    -1 if it was dealt to a hand or the table; drawing a card does not change its depth. ``drawn``: the number of cards
    drawn so far. ``pending``: the first card of a pair or capture whose second card is still to be chosen, or -1.
    ``swapped`` and ``captured``: whether each player has already swapped or captured. In a finished deal, ``player`` is
    the last one to move.
    """

    place: Array
    depth: Array
    drawn: Array
    player: Array
    over: Array
    stage: Array
    pending: Array
    swapped: Array
    captured: Array
    discarded: Array
    turn: Array

    @property
    def left(self) -> Array:
        """Return the number of cards left in the deck."""
        return DECK - self.drawn

    def hand(self, player: Array) -> Array:
        """Return a player's hand as a mask of cards."""
        return self.place == HAND_PLACE + player

    def pile(self, player: Array) -> Array:
        """Return a player's pile as a mask of cards."""
        return self.place == PILE_PLACE + player

    @property
    def table(self) -> Array:
        """Return the cards on the table as a mask."""
        return self.place == TABLE_PLACE


def start_deal(key: Array) -> DealState:
    """Shuffle and deal.

    Each card gets a random number; its position is the count of smaller numbers. Counting is faster than sorting.
    """
    drawn = jax.random.bits(key, (CARDS,))
    below = (drawn[None, :] < drawn[:, None]) | ((drawn[None, :] == drawn[:, None]) & (_CARD[None, :] < _CARD[:, None]))
    return deal_cards(below.sum(axis=1))


def deal_cards(position: Array) -> DealState:
    """Deal two hands, the table and the rest of the deck, given each card's position in the shuffled deck."""
    position = position.astype(jnp.int8)
    depth = position - (CARDS - DECK)
    cuts = (HAND, 2 * HAND, 2 * HAND + TABLE)
    place = jnp.select([position < cut for cut in cuts], [HAND_PLACE, HAND_PLACE + 1, TABLE_PLACE], DECK_PLACE)
    none, no = jnp.int32(0), jnp.zeros(2, dtype=bool)
    deal = DealState(
        place=place.astype(jnp.int8),
        depth=jnp.where(depth < 0, NO_CARD, depth).astype(jnp.int8),
        drawn=none,
        player=none,
        over=jnp.bool_(False),
        stage=jnp.int32(DecisionStage.INIT),
        pending=jnp.int32(NO_CARD),
        swapped=no,
        captured=no,
        discarded=none,
        turn=jnp.int32(1),
    )
    return _enter_only_stage(deal)


def legal_mask(deal: DealState) -> Array:
    """Return which of the 58 actions are legal."""
    hand, table = deal.hand(deal.player), deal.table
    pairs = _pairable_cards(hand, table)
    waits = deal.pending >= 0
    suit = (deal.pending // RANKS) == (_CARD // RANKS)
    second = jnp.where(deal.stage == DecisionStage.CAPTURE, hand & (deal.pending != _CARD), table & suit)
    first = jnp.where((deal.stage == DecisionStage.PAIR) & pairs.any(), pairs, hand)
    cards = jnp.where(waits, second, first) & (deal.stage != DecisionStage.INIT)
    return jnp.concatenate([cards, _legal_stages(deal, hand, pairs) & (deal.stage == DecisionStage.INIT)])


def _legal_stages(deal: DealState, hand: Array, pairs: Array) -> Array:
    pair = pairs.any() | (deal.discarded == DISCARDS) | (deal.left == 0)
    return jnp.stack(
        [
            jnp.bool_(False),
            ~deal.swapped[deal.player] & (deal.left > 0),
            ~deal.captured[deal.player] & (hand.sum() > 1),
            ~pair & (deal.discarded == 0),
            ~pair & (deal.discarded > 0),
            pair,
        ]
    )


def _pairable_cards(hand: Array, table: Array) -> Array:
    """Return the cards in a hand that have a partner of the same suit on the table."""
    suits = table.reshape(SUITS, RANKS).any(axis=1)
    return hand & jnp.repeat(suits, RANKS, total_repeat_length=CARDS)


def step(deal: DealState, action: Array) -> DealState:
    """Return the deal after a legal action."""
    me = deal.player
    init, pairing, capturing = (
        deal.stage == one for one in (DecisionStage.INIT, DecisionStage.PAIR, DecisionStage.CAPTURE)
    )
    discarding = (deal.stage == DecisionStage.DISCARD_1) | (deal.stage == DecisionStage.DISCARD_2)
    passing = pairing & ~_pairable_cards(deal.hand(me), deal.table).any()
    waiting = (pairing | capturing) & (deal.pending < 0) & ~passing
    acts = ~init & ~waiting
    moved = ((action == _CARD) | (deal.pending == _CARD)) & acts
    swapping = deal.stage == DecisionStage.SWAP
    target = jnp.where(swapping, TABLE_PLACE, jnp.where(discarding | passing, DISCARD_PLACE, PILE_PLACE + me))
    done = replace(
        deal,
        place=jnp.where(moved, target.astype(jnp.int8), deal.place),
        stage=jnp.where(init, action - ENTER, jnp.where(acts, DecisionStage.INIT, deal.stage)).astype(jnp.int32),
        pending=jnp.where(waiting, action, NO_CARD).astype(jnp.int32),
        swapped=deal.swapped | (swapping & (jnp.arange(2) == me)),
        captured=deal.captured | (capturing & acts & (jnp.arange(2) == me)),
        discarded=deal.discarded + discarding,
    )
    done = _draw_cards(done, HAND_PLACE + me, swapping | discarding | (capturing & acts))
    done = _draw_cards(done, TABLE_PLACE, discarding)
    ends = acts & (pairing | ~done.hand(me).any())
    return _enter_only_stage(_end_turn(done, ends))


def _draw_cards(deal: DealState, place: Array | int, wanted: Array, count: Array | int = 1) -> DealState:
    """If ``wanted``, move the next ``count`` cards from the deck to ``place``, or all if fewer are left."""
    count = jnp.where(wanted, jnp.minimum(count, deal.left), 0)
    taken = (deal.depth >= deal.drawn) & (deal.depth < deal.drawn + count)
    return replace(deal, place=jnp.where(taken, jnp.int8(place), deal.place).astype(jnp.int8), drawn=deal.drawn + count)


def _end_turn(deal: DealState, ends: Array) -> DealState:
    filled = _draw_cards(deal, TABLE_PLACE, ends, jnp.maximum(0, TABLE - deal.table.sum()))
    other = 1 - filled.player
    mine, theirs = filled.hand(filled.player).any(), filled.hand(other).any()
    return replace(
        filled,
        player=jnp.where(ends & theirs, other, filled.player),
        over=filled.over | (ends & ~mine & ~theirs),
        discarded=jnp.where(ends, 0, filled.discarded),
        turn=filled.turn + ends,
    )


def _enter_only_stage(deal: DealState) -> DealState:
    """Enter the open stage if there is only one."""
    hand = deal.hand(deal.player)
    stages = _legal_stages(deal, hand, _pairable_cards(hand, deal.table))
    enters = (deal.stage == DecisionStage.INIT) & (stages.sum() == 1) & ~deal.over
    return replace(deal, stage=jnp.where(enters, jnp.argmax(stages).astype(jnp.int32), deal.stage))


def points(deal: DealState) -> Array:
    """Return the point value of each player's pile."""
    return jnp.stack([_pile_points(deal.pile(jnp.int32(player))) for player in range(2)])


def _pile_points(pile: Array) -> Array:
    ranks = pile.reshape(SUITS, RANKS).sum(axis=0)
    return (pile * _WORTH).sum() + THIRD * jnp.maximum(ranks - 2, 0).sum()


def observe(deal: DealState) -> Array:
    """Return the 384 numbers of ``state.vector``; see ``bots.suit_pairs.sdk.state``."""
    me = deal.player
    other = 1 - me
    hand, table, pending = deal.hand(me), deal.table, deal.pending == _CARD
    own, theirs = deal.pile(me) | pending, deal.pile(other)
    gone = own | theirs | (deal.place == DISCARD_PLACE)
    planes = [hand, table, own, theirs, pending, _completing_cards(own, gone), _completing_cards(theirs, gone)]
    both = points(deal).astype(jnp.float32)
    mine, their = both[me], both[other]
    values = [
        *(deal.stage == stage for stage in DecisionStage),
        ~deal.swapped[me],
        ~deal.captured[me],
        ~deal.swapped[other],
        ~deal.captured[other],
        mine / 50,
        their / 50,
        (mine - their) / 20,
        hand.sum() / HAND,
        deal.hand(other).sum() / HAND,
        deal.left / DECK,
        deal.discarded / 2,
        table.sum() / TABLE,
        deal.turn / 20,
        me,
    ]
    return jnp.concatenate([jnp.concatenate(planes).astype(jnp.float32), jnp.stack([jnp.float32(v) for v in values])])


def _completing_cards(pile: Array, gone: Array) -> Array:
    ranks = pile.reshape(SUITS, RANKS).sum(axis=0)
    return jnp.tile(ranks > 1, SUITS) & ~gone


def lead(deal: DealState) -> Array:
    """Return player 0's lead in points."""
    both = points(deal)
    return (both[0] - both[1]).astype(jnp.float32)


def _player_to_move(deal: DealState) -> Array:
    return deal.player


def _is_over(deal: DealState) -> Array:
    return deal.over


ENVIRONMENT: Final = Environment(
    inputs=7 * CARDS + 20,
    actions=ACTIONS,
    start=start_deal,
    observe=observe,
    mask=legal_mask,
    step=step,
    player=_player_to_move,
    lead=lead,
    over=_is_over,
)
