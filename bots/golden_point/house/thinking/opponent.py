"""A model of one opponent: which rules its numbers followed, and what it may play next.

Every past round is explained by a rule for each number, and by the number's distance from the prediction. Predictions
are sampled from these explanations. A bot that always follows one rule is predicted exactly. A bot that alternates
between rules is expected to continue in the same proportion. For a bot that follows no rule, the nearest rule is used,
with its past errors.
"""

import random
from collections import deque
from collections.abc import Sequence

from .rules import GOLDEN_RULES, OWN_RULES, NumberHistory, PublicHistory

REMEMBERED = 40  # number of rounds
EXACT = 1e-4  # as a share of the number: a prediction this close is not a coincidence
DECAY = 0.9  # decay factor per round for a rule's record

Explanation = tuple[int, float]  # a rule, and the correction to its prediction


class Opponent:
    def __init__(self, numbers: int) -> None:
        self.places = [_NumberModel() for _ in range(numbers)]
        self.past: deque[list[Explanation]] = deque(maxlen=REMEMBERED)

    def observe(self, played: Sequence[float]) -> None:
        """Record the opponent's numbers in the last round."""
        explained = [place.explain(number) for place, number in zip(self.places, played, strict=True)]
        if None not in explained:
            self.past.append([one for one in explained if one is not None])

    def expect(self, golden_rules: Sequence[float], table: PublicHistory, played: Sequence[float]) -> None:
        """Predict the next round with every rule.

        ``golden_rules``: the predictions of ``GOLDEN_RULES``, in the same order; ``table``: the public data;
        ``played``: the opponent's numbers in the last round.
        """
        for place in self.places:
            own = NumberHistory(place.numbers, sum(played))
            place.predictions = [*golden_rules, *(rule(own, table) for rule in OWN_RULES)]

    def sample_numbers(self, rng: random.Random) -> list[float]:
        """Sample the numbers that the opponent may play next."""
        if not self.past:
            return [place.numbers[-1] for place in self.places]
        explained = rng.choice(self.past)
        pairs = zip(self.places, explained, strict=True)
        return [min(max(place.predictions[rule] + error, 0.001), 99.999) for place, (rule, error) in pairs]


class _NumberModel:
    """The model of the opponent's first or second number."""

    def __init__(self) -> None:
        self.numbers: list[float] = []
        self.predictions: list[float] = []  # each rule's prediction for the next round; none before the second round
        self.errors = [0.0] * (len(GOLDEN_RULES) + len(OWN_RULES))
        self.hits = [0.0] * len(self.errors)

    def explain(self, number: float) -> Explanation | None:
        """Return the rule that best explains a number, with the correction to its prediction.

        Return None for the first number observed, because there are no predictions for it.
        """
        self.numbers.append(number)
        if not self.predictions:
            return None
        hit = []
        for rule, prediction in enumerate(self.predictions):
            error = abs(number - prediction)
            self.errors[rule] = DECAY * self.errors[rule] + (1 - DECAY) * error
            self.hits[rule] *= DECAY
            if error <= EXACT * number:
                self.hits[rule] += 1 - DECAY
                hit.append(rule)
        rule = (
            max(hit, key=self.hits.__getitem__)
            if hit
            else min(range(len(self.predictions)), key=self.errors.__getitem__)
        )
        return rule, number - self.predictions[rule]
