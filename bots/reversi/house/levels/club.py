"""Looks three moves ahead and never slips.

A position is judged by seven things that people look at, too: squares, mobility, frontier, corners, X-squares, edges
and discs. How much each of them counts was evolved: engine/evaluation.py, engine/level.py.
"""

from ..engine.level import LevelPlayer  # noqa: TID252 - an upload has no package above


class AIPlayer(LevelPlayer):
    depth, solves = 3, False
