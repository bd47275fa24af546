"""Plays the policy that it learned by self-play, which is also the policy of level 5.

It learned only from games against itself and its past versions, by proximal policy optimization. Its parts:
policy/network.py, policy/weights.py.
"""

from .policy.player import PolicyPlayer


class AIPlayer(PolicyPlayer):
    level = 5
