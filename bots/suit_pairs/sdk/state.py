"""The state that a Suit Pairs bot receives for each decision."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bots.suit_pairs.sdk.cards import ACTIONS, CARDS, RANKS, STAGES, Action, Card, pile_points

DECK = 22  # cards that are face down when a deal begins
HAND = 10
TABLE = 10


@dataclass
class State:
    """The state at one decision, as the deciding seat sees it.

    ``seat``: your seat, 0 or 1. ``deal``: the number of the current deal, starting from 1. ``deals``: the number of
    deals in the match. ``begins``: whether you move first in this deal. ``turn``: the number of the turn in this deal,
    starting from 1. ``stage``: "init" (choose a stage), "swap", "capture", "discard_1", "discard_2" or "pair" (choose a
    card). ``hand``: the cards in your hand. ``table``: the cards on the table.
    ``pile``: the cards in your pile. ``opponent_pile``: the cards in your opponent's pile. ``discards``: all cards
    discarded in this deal. ``pending``: the first of two cards, which you have already chosen and still have in your
    hand. ``discarded``: how many times you have discarded and drawn this turn. ``deck``: the number of cards in the
    deck. ``opponent_hand``: the number of cards in your opponent's hand. ``can_swap``: whether you still have the
    function card Swap in this deal. ``can_capture``: whether you still have the function card Capture in this deal.
    ``opponent_can_swap``: whether your opponent still has Swap. ``opponent_can_capture``: whether your opponent still
    has Capture. ``points``: your points in this deal. ``opponent_points``: your opponent's points in this deal.
    ``score``: your points from the previous deals. ``opponent_score``: your opponent's points from the previous deals.
    ``legal``: the actions that you may choose now.
    """

    seat: int
    deal: int
    deals: int
    begins: bool
    turn: int
    stage: str
    hand: list[Card]
    table: list[Card]
    pile: list[Card]
    opponent_pile: list[Card]
    discards: list[Card]
    pending: Card | None
    discarded: int
    deck: int
    opponent_hand: int
    can_swap: bool
    can_capture: bool
    opponent_can_swap: bool
    opponent_can_capture: bool
    points: int
    opponent_points: int
    score: int
    opponent_score: int
    legal: list[Action]

    def gain(self, *cards: int) -> int:
        """Return the points that these cards would add to your pile now.

        This includes the extra points for the third and fourth cards of a rank.
        """
        return pile_points([*self.pile, *cards]) - pile_points(self.pile)

    def partners(self, card: Card) -> list[Card]:
        """Return the cards on the table with which a card from your hand can be paired."""
        return [other for other in self.table if other.suit == card.suit]

    @property
    def vector(self) -> list[float]:
        """Return 384 numbers for a neural network: seven planes of 52 cards, then 20 values.

        Each plane has a 1 for every card that belongs to it, and a 0 for every other card. The planes are: your hand;
        the table; your pile with the pending card; your opponent's pile; the pending card; the cards that would be the
        third or fourth of their rank in your pile; and the same for your opponent's pile.

        The values are: the six stages; your Swap and Capture; your opponent's Swap and Capture; your points / 50; your
        opponent's points / 50; your lead / 20; the sizes of your hand / 10, of your opponent's hand / 10 and of the
        deck / 22; your discards this turn / 2; the size of the table / 10; the turn / 20; and whether your opponent
        moved first.
        """
        own = [*self.pile, *([] if self.pending is None else [self.pending])]
        gone = {*own, *self.opponent_pile, *self.discards}
        planes = (
            self.hand,
            self.table,
            own,
            self.opponent_pile,
            [] if self.pending is None else [self.pending],
            _completing_cards(own, gone),
            _completing_cards(self.opponent_pile, gone),
        )
        vector = [0.0] * (len(planes) * len(CARDS))
        for number, plane in enumerate(planes):
            for card in plane:
                vector[number * len(CARDS) + card] = 1.0
        return vector + self._values()

    @property
    def mask(self) -> list[bool]:
        """Return, for each of the 58 actions, whether it is legal: first the 52 cards, then the six stages."""
        legal = set(self.legal)
        return [action in legal for action in ACTIONS]

    def _values(self) -> list[float]:
        return [
            *(float(self.stage == stage) for stage in STAGES),
            float(self.can_swap),
            float(self.can_capture),
            float(self.opponent_can_swap),
            float(self.opponent_can_capture),
            self.points / 50,
            self.opponent_points / 50,
            (self.points - self.opponent_points) / 20,
            len(self.hand) / HAND,
            self.opponent_hand / HAND,
            self.deck / DECK,
            self.discarded / 2,
            len(self.table) / TABLE,
            self.turn / 20,
            float(not self.begins),
        ]


def _completing_cards(pile: Iterable[int], gone: set[Card]) -> list[Card]:
    """Return the available cards that would be the third or fourth of their rank in the pile."""
    ranks = [card % len(RANKS) for card in pile]
    return [card for card in CARDS if ranks.count(card % len(RANKS)) > 1 and card not in gone]
