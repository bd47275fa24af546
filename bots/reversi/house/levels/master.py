"""Looks as far ahead as its time permits and solves the endgame exactly.

It searches like Alpha-beta, with an evaluation learned from self-play: engine/learned.py, engine/thinking.py.
"""

from ..engine.evaluation import Evaluation  # noqa: TID252 - an upload has no package above
from ..engine.learned import learned_evaluation  # noqa: TID252
from ..engine.level import LevelPlayer  # noqa: TID252


class AIPlayer(LevelPlayer):
    uses_probcut = True

    def judge(self) -> Evaluation:
        return learned_evaluation()
