"""Plays every other move by chance, the others for what they look like at once.

A position is judged by seven things that people look at, too: squares, mobility, frontier, corners, X-squares, edges
and discs. How much each of them counts was evolved: engine/evaluation.py, engine/level.py.
"""

from ..engine.level import LevelPlayer  # noqa: TID252 - an upload has no package above


class AIPlayer(LevelPlayer):
    depth, blunders, solves = 1, 0.5, False
