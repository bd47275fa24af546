"""Plays what self-play taught it: the policy of level 5, on the ladder.

Nobody showed it how to play: it learnt from games with itself and with its past selves, by proximal policy
optimization. Its parts: policy/network.py, policy/weights.py.
"""

from .policy.player import PolicyPlayer


class AIPlayer(PolicyPlayer):
    level = 5
