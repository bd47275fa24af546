"""Has just begun to learn: it knows what pairs, and little about what a card is worth.

Nobody showed it how to play: it learnt from games with itself and with its past selves, by proximal policy
optimization. Its parts: policy/network.py, policy/weights.py.
"""

from ..policy.player import PolicyPlayer  # noqa: TID252 - an upload has no package above


class AIPlayer(PolicyPlayer):
    level = 1
