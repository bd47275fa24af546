"""Looks two moves ahead, and leaves every seventh move to chance."""

from ..engine.level import LevelPlayer  # noqa: TID252 - an upload has no package above


class AIPlayer(LevelPlayer):
    depth, blunders, solves = 2, 0.15, False
