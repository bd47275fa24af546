"""Looks three moves ahead and plays no random moves.

A position is evaluated by seven features that people use too: squares, mobility, frontier, corners, X-squares, edges
and discs. Their weights were evolved; see engine/evaluation.py and engine/level.py.
"""

from ..engine.level import LevelPlayer  # noqa: TID252 - an upload has no package above


class AIPlayer(LevelPlayer):
    depth, solves = 3, False
