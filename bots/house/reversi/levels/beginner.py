"""Plays every other move by chance, the others for what they look like at once."""

from ..engine.level import LevelPlayer  # noqa: TID252 - an upload has no package above


class AIPlayer(LevelPlayer):
    depth, blunders, solves = 1, 0.5, False
