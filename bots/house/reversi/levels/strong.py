"""Looks five moves ahead and plays the end exactly."""

from ..engine.level import LevelPlayer  # noqa: TID252 - an upload has no package above


class AIPlayer(LevelPlayer):
    depth = 5
