"""Implement ``python -m bots play A B --sprt``: test whether the first bot is better than the second."""

from __future__ import annotations

import math
from typing import Final

from arena.core.ranking.sprt import EloModel, PairCounts
from arena.core.ranking.version_plan import Estimate, VersionPlan, estimate_gain
from arena.core.ranking.version_test import Gain, GainVerdict
from arena.core.referee.play import MatchResult
from arena.games.base import AnyGame, Scoring
from bots.cli.schedule import ScheduledMatch

_VERDICTS: Final = {
    GainVerdict.BETTER: "{new} is better than {old}.",
    GainVerdict.WORSE: "{new} is worse than {old}.",
    GainVerdict.NO_DIFFERENCE: "There is no meaningful difference between {new} and {old}.",
    GainVerdict.UNDECIDED: "Inconclusive: the maximum number of matches was reached.",
    GainVerdict.RUNNING: "Stopped before the test was decided.",
}


class VersionSeries:
    """A sequential test whose matches are played in rounds, so that every bot plays in every seat."""

    def __init__(
        self, game: AnyGame, bots: int, gain: Gain, max_matches: int | None, model: EloModel = EloModel.LOGISTIC
    ) -> None:
        self._ranked = game.max_seats == 2 and game.scoring is Scoring.RANKED
        self._lap = bots
        self._plan = VersionPlan(gain, self._ranked, model)
        self._test = self._plan.start(None if max_matches is None else max(1, max_matches // bots))
        self._points = [0.0, 0.0]

    @property
    def max_matches(self) -> int:
        return self._test.most_pairs * self._lap

    @property
    def announcement(self) -> str:
        """Describe the test and its expected length, for display before the first match."""
        none, some = (math.ceil(pairs) * self._lap for pairs in self._plan.expected_pairs)
        unit = (
            f"{self._plan.gain_size:g} {_elo_unit_name(self._plan.model)}"
            if self._ranked
            else f"{self._plan.gain_size:g} standard deviations of the pair score"
        )
        return (
            f"A gain of {unit} counts as better; 5 % error. Expected number of matches: about {none} if the bots are "
            f"equal, about {some} if the gain is real, at most {self.max_matches}."
        )

    def add(self, encounter: ScheduledMatch, result: MatchResult) -> bool:
        """Add the result of a match. Return whether the test has ended."""
        for seat, bot in enumerate(encounter.order):
            if bot < 2:
                self._points[bot] += result.outcome.points[seat]
        if encounter.number % self._lap:
            return False
        new, old = self._points
        self._points = [0.0, 0.0]
        self._test = self._test.add(new if self._ranked else (new - old) / self._lap)
        return self._test.verdict is not GainVerdict.RUNNING

    @property
    def progress(self) -> str:
        test = self._test
        count = test.evidence.pairs
        pairs = "1 pair" if count == 1 else f"{count} pairs"
        return (
            f"{pairs}, log-likelihood ratios: better {test.better.ratio:+.2f}, worse "
            f"{test.worse.ratio:+.2f} (bounds {test.bounds.lower:.2f}, {test.bounds.upper:+.2f}), {self._format_gain()}"
        )

    def summary(self, new: str, old: str) -> str:
        return f"{_VERDICTS[self._test.verdict].format(new=new, old=old)}\n{self.progress}"

    def _format_gain(self) -> str:
        evidence = self._test.evidence
        found = estimate_gain(evidence)
        if found is None:
            return "no estimate yet"
        if isinstance(evidence, PairCounts):
            return _format_elo(found, _elo_unit_name(evidence.model))
        return f"difference per match {found.value:+.2f} ± {found.high - found.value:.2f}"


def _elo_unit_name(model: EloModel) -> str:
    return "normalized Elo" if model is EloModel.NORMALIZED else "Elo"


def _format_elo(found: Estimate, unit: str) -> str:
    if math.isinf(found.value):  # only wins or only losses: the Elo difference is infinite
        return f"{unit} above {found.low:+.0f}" if found.value > 0 else f"{unit} below {found.high:+.0f}"
    return f"{unit} {found.value:+.0f} ({found.low:+.0f} to {found.high:+.0f})"
