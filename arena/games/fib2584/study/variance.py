"""Raw and luck-adjusted scores of house bots over many matches, measured by ``python -m bots evaluate fib2584``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.submissions.house import house_drafts
from arena.ui.localized import localized_name


@dataclass(frozen=True, slots=True)
class MeasuredScores:
    """The mean and variance of a house bot's score per game, raw and luck-adjusted.

    They were measured over ``matches`` matches of 20 games each. ``bot``: the bot's file.
    """

    bot: str
    matches: int
    raw_mean: float
    raw_variance: float
    adjusted_mean: float
    adjusted_variance: float

    @property
    def name(self) -> str:
        return localized_name(house_drafts("fib2584")[self.bot])

    @property
    def ratio(self) -> float:
        return self.adjusted_variance / self.raw_variance

    @property
    def is_steadier(self) -> bool:
        """Return whether luck adjustment reduces the variance."""
        return self.ratio < 1


# Results of `python -m bots evaluate fib2584 --matches 200` and, for slow bots, `--matches 20`.
MEASURED: Final = (
    MeasuredScores("greedy", 200, 124.7, 188, 117.8, 13271),
    MeasuredScores("random_direction", 200, 74.6, 87, 62.1, 14618),
    MeasuredScores("first_legal", 200, 122.8, 252, 114.1, 20127),
    MeasuredScores("expectimax", 20, 392.6, 1179, 409.2, 5671),
    MeasuredScores("td_learner", 20, 1142.5, 16166, 1148.3, 1086),
    MeasuredScores("exact", 20, 1443.0, 8207, 1425.8, 0),
)
