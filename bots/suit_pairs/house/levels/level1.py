"""Has just begun to learn: it knows which cards pair, but little about the value of cards.

It learned only from games against itself and its past versions, by proximal policy optimization. Its parts:
policy/network.py, policy/weights.py.
"""

from ..policy.player import PolicyPlayer  # noqa: TID252 - an upload has no package above


class AIPlayer(PolicyPlayer):
    level = 1
