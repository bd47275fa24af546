"""Draw the next ladder matches: the bot with the least certain rating plays, and its opponents are drawn at random.

Fairness. When an author's bot is due, every bot that it may meet is drawn with the weight p (1 - p), where p is the
expected score against it. The weight depends only on the two ratings and is largest if they are equal. So if all bots
are equally rated and N of them are not by the author of the bot that is due, an author with n of those N bots supplies
a share n / N of its opponents. Neither collusion nor frequent uploads of versions without results increase that share.
Bots by the same author never meet (see arena.core.ranking.authors), including in matches with more than two seats.

Invariants: the same candidates and random draws give the same matches; each bot is in at most one match; matches that
have not yet been rated count as played, so a bot is not due repeatedly in the meantime.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.core.ranking.rating import PER_NEPER, Rating

# In nats: the gain from a match between equals if the rating's deviation is 15 points. Smaller gains are not worth it.
MIN_GAIN: Final = 0.001


@dataclass(frozen=True, slots=True)
class LadderCandidate:
    """A bot in the pool. ``author``: None for a house bot, which may meet all others.

    ``pending``: the number of the bot's matches that are running or not rated yet.
    """

    entry: int
    rating: Rating
    pending: int = 0
    author: int | None = None

    @property
    def expected_rating(self) -> Rating:
        """Return the rating with its expected deviation after the pending matches.

        The bot and its opponents in these matches are assumed to be equally strong.
        """
        if not self.pending:
            return self.rating
        precision = (PER_NEPER / self.rating.deviation) ** 2 + self.pending / 4
        return Rating(self.rating.value, PER_NEPER / math.sqrt(precision))

    def may_meet(self, other: LadderCandidate) -> bool:
        return self.entry != other.entry and (self.author is None or self.author != other.author)


def expected_variance(due: Rating, opponent: Rating) -> float:
    """Return p (1 - p), where p is the probability that ``due`` wins: 1/4 between equals, small if p is near 0 or 1.

    Under a normal distribution of ``due``, the probability is the logistic function with a shrunken argument (D.
    MacKay, The Evidence Framework Applied to Classification Networks, 1992). The opponent's uncertainty is ignored.
    """
    variance = (due.deviation / PER_NEPER) ** 2
    difference = (due.value - opponent.value) / PER_NEPER / math.sqrt(1 + math.pi * variance / 8)
    return 1 / (2 + math.exp(difference) + math.exp(-difference))


def information_gain(due: Rating, share: float) -> float:
    """Return the information in nats (the reduction in entropy) from a match whose result has the variance ``share``.

    The result adds ``share`` to the precision (D. V. Lindley, On a Measure of the Information Provided by an
    Experiment, Annals of Mathematical Statistics 27 (1956)).
    """
    return math.log1p((due.deviation / PER_NEPER) ** 2 * share) / 2


def draw_matches(
    candidates: Sequence[LadderCandidate], most: int, rng: random.Random, seats: int = 2
) -> list[tuple[int, ...]]:
    """Draw at most ``most`` matches of up to ``seats`` entries, starting with the bot whose rating is least certain.

    Return [] if all ratings are so certain that no match would add enough information.
    """
    expected = {candidate.entry: candidate.expected_rating for candidate in candidates}
    free = {one.entry: one for one in sorted(candidates, key=lambda one: (-expected[one.entry].deviation, one.entry))}
    matches: list[tuple[int, ...]] = []
    for due in list(free.values()):
        if len(matches) >= most or information_gain(expected[due.entry], 1 / 4) < MIN_GAIN:
            break  # all further ratings are even more certain
        if due.entry not in free:
            continue
        match = _draw_match(due, list(free.values()), rng, seats)
        if len(match) > 1:
            matches.append(tuple(one.entry for one in match))
            for one in match:
                del free[one.entry]
    return matches


def _draw_match(
    due: LadderCandidate, free: Sequence[LadderCandidate], rng: random.Random, seats: int
) -> list[LadderCandidate]:
    """Draw one match: the bot that is ``due``, and permitted opponents from ``free``."""
    match, own = [due], due.expected_rating
    weighed = [(one, expected_variance(own, one.rating)) for one in free if due.may_meet(one)]
    left = [(one, weight) for one, weight in weighed if information_gain(own, weight) >= MIN_GAIN]
    while left and len(match) < seats:
        (drawn,) = rng.choices([one for one, _ in left], [weight for _, weight in left])
        match.append(drawn)
        left = [(one, weight) for one, weight in left if drawn.may_meet(one)]
    return match
