"""Plays the policy that it learned by self-play: that of level 5, on the ladder.

It learned only from games against itself and its past versions, by proximal policy optimization. Its parts:
policy/network.py, policy/weights.py.
"""

from .policy.player import PolicyPlayer


class AIPlayer(PolicyPlayer):
    level = 5
