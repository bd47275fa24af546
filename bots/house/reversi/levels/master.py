"""Looks as far ahead as its time allows and plays the end exactly."""

from ..engine.evaluation import Evaluation  # noqa: TID252 - an upload has no package above
from ..engine.learned import learned  # noqa: TID252
from ..engine.level import LevelPlayer  # noqa: TID252


class AIPlayer(LevelPlayer):
    guesses = True

    def judge(self) -> Evaluation:
        return learned()
