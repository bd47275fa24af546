"""Draw the next matches of a ladder: whose rating is least known plays, and chance chooses the opponents.

Fairness. Of the matches for which an author's bots are due, chance gives each other bot the weight p (1 - p), where p
is the expected score against it; that is large for close ratings. The weight depends on the two ratings alone. So an
author with n bots of the N that others entered has, where all are equally strong, the share n / N of these opponents,
whoever that author is a friend of, and however often the friends upload versions of which nothing is known. Bots of one
author never meet (see arena.core.ranking.authors), not even at a table.

Invariants: the same candidates and chance give the same matches; everybody is in one match at most; matches that are
not rated yet count as if they had been played, so a bot is not due again and again meanwhile.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.core.ranking.rating import PER_NEPER, Rating

LEAST_GAIN: Final = 0.001  # nats: a bot known to 15 points against an equal; below that a match is not worth its time


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody in the pool. ``author``: None for a house bot, which may meet everybody.

    ``pending`` matches are under way or not rated yet.
    """

    entry: int
    rating: Rating
    pending: int = 0
    author: int | None = None

    @property
    def expected(self) -> Rating:
        """The rating as it will be known after the pending matches, as if each were against a known equal."""
        if not self.pending:
            return self.rating
        precision = (PER_NEPER / self.rating.deviation) ** 2 + self.pending / 4
        return Rating(self.rating.value, PER_NEPER / math.sqrt(precision))

    def may_meet(self, other: Candidate) -> bool:
        return self.entry != other.entry and (self.author is None or self.author != other.author)


def openness(due: Rating, opponent: Rating) -> float:
    """The expected p (1 - p) of a match: 1/4 between equals, little where the result is certain.

    The chance under a normal distribution of ``due`` is the logistic function with its argument shrunk (D. MacKay, The
    Evidence Framework Applied to Classification Networks, 1992). What is not known of the opponent plays no part.
    """
    variance = (due.deviation / PER_NEPER) ** 2
    difference = (due.value - opponent.value) / PER_NEPER / math.sqrt(1 + math.pi * variance / 8)
    return 1 / (2 + math.exp(difference) + math.exp(-difference))


def gain(due: Rating, share: float) -> float:
    """What a match of this openness tells of a rating, in nats: by how much the entropy of its error falls.

    The result adds ``share`` to the precision (D. V. Lindley, On a Measure of the Information Provided by an
    Experiment, Annals of Mathematical Statistics 27 (1956)).
    """
    return math.log1p((due.deviation / PER_NEPER) ** 2 * share) / 2


def draw(candidates: Sequence[Candidate], most: int, rng: random.Random, seats: int = 2) -> list[tuple[int, ...]]:
    """At most so many matches of at most so many seats; in each comes first the entry that was due.

    Empty where all ratings are so well known that no match would tell enough.
    """
    expected = {candidate.entry: candidate.expected for candidate in candidates}
    free = {one.entry: one for one in sorted(candidates, key=lambda one: (-expected[one.entry].deviation, one.entry))}
    matches: list[tuple[int, ...]] = []
    for due in list(free.values()):
        if len(matches) >= most or gain(expected[due.entry], 1 / 4) < LEAST_GAIN:
            break  # those that follow are known better still
        if due.entry not in free:
            continue
        match = _match(due, list(free.values()), rng, seats)
        if len(match) > 1:
            matches.append(tuple(one.entry for one in match))
            for one in match:
                del free[one.entry]
    return matches


def _match(due: Candidate, free: Sequence[Candidate], rng: random.Random, seats: int) -> list[Candidate]:
    """The one who is due, and opponents by chance: of different authors, each drawn from those that are left."""
    match, own = [due], due.expected
    weighed = [(one, openness(own, one.rating)) for one in free if due.may_meet(one)]
    left = [(one, weight) for one, weight in weighed if gain(own, weight) >= LEAST_GAIN]
    while left and len(match) < seats:
        (drawn,) = rng.choices([one for one, _ in left], [weight for _, weight in left])
        match.append(drawn)
        left = [(one, weight) for one, weight in left if drawn.may_meet(one)]
    return match
