"""Plays half of its moves at random, and the rest without looking ahead.

A position is evaluated by seven features that human players also use: squares, mobility, frontier, corners, X-squares,
edges and discs. Their weights were evolved; see engine/evaluation.py and engine/level.py.
"""

from ..engine.level import LevelPlayer  # noqa: TID252 - an upload has no package above


class AIPlayer(LevelPlayer):
    depth, blunders, solves = 1, 0.5, False
