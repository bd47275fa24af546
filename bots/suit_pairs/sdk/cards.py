"""Cards and actions for bots, as integers with names and properties."""

from __future__ import annotations

from collections.abc import Iterable

SUITS = "CDHS"  # clubs, diamonds, hearts, spades
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
POINTS = (1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 5)  # by rank, from ace to king
THIRD = 4  # points for the third card of a rank in a pile, and again for the fourth
STAGES = ("init", "swap", "capture", "discard_1", "discard_2", "pair")


class Card(int):
    """One of the 52 cards, as an integer from 0 to 51: suit * 13 + rank - 1, with the suits in the order C, D, H, S."""

    @property
    def suit(self) -> str:
        """Return the suit: "C" (clubs), "D" (diamonds), "H" (hearts) or "S" (spades)."""
        return SUITS[int(self) // len(RANKS)]

    @property
    def rank(self) -> int:
        """Return the rank, from 1 (ace) to 13 (king)."""
        return int(self) % len(RANKS) + 1

    @property
    def points(self) -> int:
        """Return the card's own value, without the extra points for a third or fourth card of its rank."""
        return POINTS[self.rank - 1]

    @property
    def name(self) -> str:
        """Return the name, such as "10H"."""
        return RANKS[self.rank - 1] + self.suit

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


CARDS = tuple(Card(number) for number in range(len(SUITS) * len(RANKS)))


class Action(int):
    """One of the 58 actions: 0 to 51 choose a card, 52 to 57 enter a stage.

    The stages are, in this order, "init", "swap", "capture", "discard_1", "discard_2" and "pair".
    """

    @property
    def card(self) -> Card | None:
        """Return the card that this action chooses; None if the action enters a stage."""
        return CARDS[self] if self < len(CARDS) else None

    @property
    def stage(self) -> str | None:
        """Return the stage that this action enters; None if the action chooses a card."""
        return STAGES[self - len(CARDS)] if self >= len(CARDS) else None

    @property
    def name(self) -> str:
        """Return the name of the card or stage, such as "10H" or "swap"."""
        return CARDS[self].name if self < len(CARDS) else STAGES[self - len(CARDS)]

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


ACTIONS = tuple(Action(number) for number in range(len(CARDS) + len(STAGES)))


def pile_points(pile: Iterable[int]) -> int:
    """Return the value of a pile: its cards, plus 4 points each for the third and the fourth card of a rank."""
    ranks = [0] * len(RANKS)
    for card in pile:
        ranks[card % len(RANKS)] += 1
    return sum(count * worth + THIRD * max(0, count - 2) for count, worth in zip(ranks, POINTS, strict=True))
