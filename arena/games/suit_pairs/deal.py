"""One deal of Suit Pairs as a machine of stages: a single decision at a time, out of 58 actions.

::

    stage       legal actions                                      what they do
    ---------   ------------------------------------------------   -----------------------------------------------
    INIT        SWAP: unused, deck not empty                       enter it
                CAPTURE: unused, two cards in hand                 enter it
                PAIR: something pairs, or nothing pairs and        enter it
                two discards were made or the deck is empty
                DISCARD_1, else DISCARD_2: nothing pairs           enter it
    SWAP        a card of the hand                                 to the table, draw one; INIT
    CAPTURE     a card of the hand, then another one               both to the pile, draw one; INIT
    DISCARD_n   a card of the hand                                 out of play, draw two: hand, table; INIT
    PAIR        a card of the hand that pairs, then one of the     both to the pile; the turn ends
                table in its suit
                or, where nothing pairs, any card of the hand      out of play; the turn ends

Invariants: every card is in one place; a stage that is not over has a legal action; a first card of two is ``pending``
and still counts for the hand. Where an action leaves the hand empty the turn ends. After a turn the table is filled up
to ten while the deck lasts, and whoever has an empty hand is passed over; the deal ends when both hands are empty.

Actions 0 to 51 are cards, 52 to 57 enter the stages in the order of ``Stage``; 52 (INIT) is never legal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final, TypeVar

from arena.games.suit_pairs.cards import CARDS, FULL_DECK, SUIT_SETS, cards_in, pile_points, set_of, suit_of

T = TypeVar("T")

HAND: Final = 10
TABLE: Final = 10
DISCARDS: Final = 2  # drawing ones in a turn


class Stage(IntEnum):
    """What the player is about to decide."""

    INIT = 0
    SWAP = 1
    CAPTURE = 2
    DISCARD_1 = 3
    DISCARD_2 = 4
    PAIR = 5


ENTER: Final = CARDS  # ENTER + stage is the action that enters it
ACTIONS: Final = CARDS + len(Stage)


@dataclass(frozen=True, slots=True)
class Deal:
    """Between two decisions. Players are 0, who begins, and 1; sets of cards are ints.

    ``deck``: the 22 cards that were face down, the top first, of which ``drawn`` are gone. ``player`` is None where the
    deal is over. ``discarded``: drawing discards of this turn; ``turn`` counts from 1.
    """

    deck: tuple[int, ...]
    hands: tuple[int, int]
    table: int
    piles: tuple[int, int] = (0, 0)
    discards: int = 0
    drawn: int = 0
    player: int | None = 0
    stage: Stage = Stage.INIT
    pending: int | None = None
    swapped: tuple[bool, bool] = (False, False)
    captured: tuple[bool, bool] = (False, False)
    discarded: int = 0
    turn: int = 1

    @property
    def left(self) -> int:
        """Cards in the deck."""
        return len(self.deck) - self.drawn

    @property
    def points(self) -> tuple[int, int]:
        """What both piles are worth."""
        return pile_points(self.piles[0]), pile_points(self.piles[1])


def deal_cards(order: Sequence[int]) -> Deal:
    """The deal of 52 cards in this order: ten to each player, ten to the table, the others are the deck."""
    if set_of(order) != FULL_DECK or len(order) != CARDS:
        raise ValueError("a deal needs each of the 52 cards once")
    first, second, table = order[:HAND], order[HAND : 2 * HAND], order[2 * HAND : 2 * HAND + TABLE]
    return Deal(tuple(order[2 * HAND + TABLE :]), (set_of(first), set_of(second)), set_of(table))


def legal_actions(deal: Deal) -> int:
    """The set of actions that are legal, bit ``action``; 0 only where the deal is over."""
    if deal.player is None:
        return 0
    hand = deal.hands[deal.player]
    if deal.stage is Stage.INIT:
        return _stages(deal, deal.player, hand)
    if deal.pending is not None:
        if deal.stage is Stage.CAPTURE:
            return hand & ~(1 << deal.pending)
        return deal.table & SUIT_SETS[suit_of(deal.pending)]
    if deal.stage is Stage.PAIR:
        return pairable(hand, deal.table) or hand
    return hand


def pairable(hand: int, table: int) -> int:
    """The cards of a hand that have a partner of their suit on the table."""
    found = 0
    for suit in SUIT_SETS:
        if table & suit:
            found |= hand & suit
    return found


def _stages(deal: Deal, player: int, hand: int) -> int:
    entered = []
    if not deal.swapped[player] and deal.left:
        entered.append(Stage.SWAP)
    if not deal.captured[player] and hand & (hand - 1):  # two cards at least
        entered.append(Stage.CAPTURE)
    if pairable(hand, deal.table) or deal.discarded == DISCARDS or not deal.left:
        entered.append(Stage.PAIR)
    else:
        entered.append(Stage.DISCARD_2 if deal.discarded else Stage.DISCARD_1)
    return sum(1 << ENTER + stage for stage in entered)


def play(deal: Deal, action: int) -> Deal:
    """The deal after one decision; raises ValueError where it is not legal."""
    if action < 0 or not legal_actions(deal) >> action & 1:
        raise ValueError(f"action {action} is not legal here")
    if deal.stage is Stage.INIT:
        return replace(deal, stage=Stage(action - ENTER))
    if deal.stage is Stage.PAIR and not pairable(deal.hands[_to_move(deal)], deal.table):
        return _end_turn(_discarded(deal, action))
    if deal.stage in (Stage.CAPTURE, Stage.PAIR) and deal.pending is None:
        return replace(deal, pending=action)
    return _EFFECTS[deal.stage](deal, action)


def _swap(deal: Deal, card: int) -> Deal:
    player = _to_move(deal)
    put = replace(
        deal,
        hands=_with(deal.hands, player, deal.hands[player] & ~(1 << card)),
        table=deal.table | 1 << card,
        swapped=_with(deal.swapped, player, value=True),
    )
    return _back(_draw(put))


def _capture(deal: Deal, second: int) -> Deal:
    player = _to_move(deal)
    assert deal.pending is not None  # noqa: S101 - the first of the two
    both = 1 << deal.pending | 1 << second
    taken = replace(
        deal,
        hands=_with(deal.hands, player, deal.hands[player] & ~both),
        piles=_with(deal.piles, player, deal.piles[player] | both),
        captured=_with(deal.captured, player, value=True),
    )
    return _back(_draw(taken))


def _discard(deal: Deal, card: int) -> Deal:
    drawn = _draw(_discarded(deal, card))
    if drawn.left:
        drawn = replace(drawn, table=drawn.table | 1 << drawn.deck[drawn.drawn], drawn=drawn.drawn + 1)
    return _back(replace(drawn, discarded=drawn.discarded + 1))


def _pair(deal: Deal, table_card: int) -> Deal:
    player = _to_move(deal)
    assert deal.pending is not None  # noqa: S101 - the card of the hand
    paired = replace(
        deal,
        hands=_with(deal.hands, player, deal.hands[player] & ~(1 << deal.pending)),
        table=deal.table & ~(1 << table_card),
        piles=_with(deal.piles, player, deal.piles[player] | 1 << deal.pending | 1 << table_card),
    )
    return _end_turn(paired)


_EFFECTS: Final[dict[Stage, Callable[[Deal, int], Deal]]] = {
    Stage.SWAP: _swap,
    Stage.CAPTURE: _capture,
    Stage.DISCARD_1: _discard,
    Stage.DISCARD_2: _discard,
    Stage.PAIR: _pair,
}


def _discarded(deal: Deal, card: int) -> Deal:
    player = _to_move(deal)
    hands = _with(deal.hands, player, deal.hands[player] & ~(1 << card))
    return replace(deal, hands=hands, discards=deal.discards | 1 << card)


def _draw(deal: Deal) -> Deal:
    """The top card to the hand of the player, where there is one."""
    if not deal.left:
        return deal
    player = _to_move(deal)
    hands = _with(deal.hands, player, deal.hands[player] | 1 << deal.deck[deal.drawn])
    return replace(deal, hands=hands, drawn=deal.drawn + 1)


def _back(deal: Deal) -> Deal:
    """To the choice of stages, or to the next turn where the hand is empty."""
    if not deal.hands[_to_move(deal)]:
        return _end_turn(deal)
    return replace(deal, stage=Stage.INIT, pending=None)


def _end_turn(deal: Deal) -> Deal:
    missing = max(0, min(TABLE - deal.table.bit_count(), deal.left))
    filled = deal.deck[deal.drawn : deal.drawn + missing]
    other = 1 - _to_move(deal)
    player = next((player for player in (other, 1 - other) if deal.hands[player]), None)
    return replace(
        deal,
        table=deal.table | set_of(filled),
        drawn=deal.drawn + missing,
        player=player,
        stage=Stage.INIT,
        pending=None,
        discarded=0,
        turn=deal.turn + 1,
    )


def _to_move(deal: Deal) -> int:
    assert deal.player is not None  # noqa: S101 - nobody acts in a deal that is over
    return deal.player


def _with(pair: tuple[T, T], player: int, value: T) -> tuple[T, T]:
    """The pair with one of its values replaced."""
    return (value, pair[1]) if player == 0 else (pair[0], value)


def actions_in(actions: int) -> tuple[int, ...]:
    """The actions of a set, ascending."""
    return tuple(cards_in(actions))
