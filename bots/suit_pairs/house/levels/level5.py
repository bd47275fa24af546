"""Plays the fully trained policy, and is therefore the strongest level.

It learned only from games against itself and its past versions, by proximal policy optimization. Its parts:
policy/network.py, policy/weights.py.
"""

from ..policy.player import PolicyPlayer  # noqa: TID252 - an upload has no package above


class AIPlayer(PolicyPlayer):
    level = 5
