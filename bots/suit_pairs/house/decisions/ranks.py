"""Card values that reflect the ranks in both piles: immediate points, future points and denied points."""

from typing import Any

THIRD = 4.0
# The probability of completing a set of two or three, by the number of missing cards that are still available.
CHANCES = (0.0, 0.25, 0.4)
DENIED = 0.35  # the probability that the opponent would have received a card that completes a rank in their pile


class RankValues:
    """The values of cards in one state, when they are taken or given away."""

    def __init__(self, state: Any) -> None:
        self._state = state
        self._gone = {*state.opponent_pile, *state.discards}
        self._mine = _count_ranks(state.pile)
        self._theirs = _count_ranks(state.opponent_pile)

    def value_taken(self, *cards: Any) -> float:
        """Return the combined value of cards that go to the player's pile together."""
        ranks = {card.rank for card in cards}
        after = _count_ranks([*self._state.pile, *cards])
        future = sum(
            self._expected_future_points(rank, after[rank]) - self._expected_future_points(rank, self._mine[rank])
            for rank in ranks
        )
        return _round_off(self._state.gain(*cards) + future + sum(self._denied_points(card) for card in cards))

    def cost_given(self, card: Any) -> float:
        """Return the cost of giving up a card and getting nothing for it."""
        third = THIRD * CHANCES[-1] if self._mine[card.rank] >= 2 else 0.0
        return _round_off(card.points + third + self._denied_points(card))

    def _expected_future_points(self, rank: int, count: int) -> float:
        """Return the expected future points from a rank.

        ``count``: the number of cards of this rank that the player's pile would then contain.
        """
        if count not in (2, 3):
            return 0.0
        missing = 4 - count - sum(card.rank == rank for card in self._gone)
        return THIRD * CHANCES[max(0, min(missing, 2))]

    def _denied_points(self, card: Any) -> float:
        return THIRD * DENIED if self._theirs[card.rank] >= 2 else 0.0


def _round_off(value: float) -> float:
    """Round away floating-point errors, so that equal values are equal."""
    return round(value, 6)


def _count_ranks(cards: Any) -> list[int]:
    """Count cards by rank; ranks start at 1."""
    counts = [0] * 14
    for card in cards:
        counts[card.rank] += 1
    return counts
