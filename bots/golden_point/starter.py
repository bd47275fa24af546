"""A golden-point bot to start from. Change it, upload it, see it play.

Every round all bots name numbers between 0 and 100. The golden number is 0.618 times the mean of
all of them: who is nearest gets as many points as there are bots, who is farthest loses 2. What you
print goes to a log that only you can read.
"""

import random

RATIO = 0.618


class AIPlayer:
    def __init__(self, seat):
        # Your place in every list of the history.
        self.seat = seat

    def get_move(self, state):
        """One number or a pair, as state.numbers says, each greater than 0 and less than 100."""
        guess = self.guess(state)
        print("round", state.round, "of", state.rounds, "guess", guess, "score", state.score)
        if state.numbers == 1:
            return guess
        # The second number lies a little beside the first, in case everybody moves down again.
        return guess, max(0.01, guess * 0.95)

    def guess(self, state):
        """The mean of the last golden numbers, a little noise added so that you do not sit on others' numbers."""
        if not state.golden:
            return 50 * RATIO
        recent = state.golden[-3:]
        mean = sum(recent) / len(recent)
        return min(99.9, max(0.1, mean * random.uniform(0.97, 1.03)))
