"""Looks two moves ahead, and plays about one move in seven at random.

A position is evaluated by seven features that people use too: squares, mobility, frontier, corners, X-squares, edges
and discs. Their weights were evolved; see engine/evaluation.py and engine/level.py.
"""

from ..engine.level import LevelPlayer  # noqa: TID252 - an upload has no package above


class AIPlayer(LevelPlayer):
    depth, blunders, solves = 2, 0.15, False
