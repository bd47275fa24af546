"""Looks three moves ahead and never slips."""

from ..engine.level import LevelPlayer  # noqa: TID252 - an upload has no package above


class AIPlayer(LevelPlayer):
    depth, solves = 3, False
