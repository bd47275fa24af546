"""``python -m bots play A B --sprt``: whether the first bot is better than the second."""

from __future__ import annotations

import math
from typing import Final

from arena.core.ranking.sprt import PairCounts, PairDifferences, elo_of, expected_score
from arena.core.ranking.version_test import Bounds, Gain, Verdict, VersionTest, expected_pairs
from arena.core.referee.play import MatchResult
from arena.games.base import AnyGame, Scoring
from bots.cli.interval import Z95, t95, wilson
from bots.cli.schedule import Encounter

_PATIENCE: Final = 4  # times the expected number of pairs, after which a test ends undecided
_DRAWLESS_DEVIATION: Final = math.sqrt(1 / 8)  # of the mean of two independent matches without draws

_VERDICTS: Final = {
    Verdict.BETTER: "{new} is better than {old}.",
    Verdict.WORSE: "{new} is worse than {old}.",
    Verdict.NO_DIFFERENCE: "There is no difference between {new} and {old} worth knowing.",
    Verdict.UNDECIDED: "Undecided: the matches ran out before the answer was certain.",
    Verdict.RUNNING: "Stopped before the answer was certain.",
}


class VersionSeries:
    """The test that goes with a series of matches, a lap of swapped seats after the other."""

    def __init__(self, game: AnyGame, bots: int, gain: Gain, most_matches: int | None) -> None:
        self._ranked = game.max_seats == 2 and game.scoring is Scoring.RANKED
        self._lap = bots
        self._size = gain.elo if self._ranked else gain.effect
        self._expected = _expected_pairs(gain, ranked=self._ranked)
        most = math.ceil(_PATIENCE * max(self._expected)) if most_matches is None else max(1, most_matches // bots)
        self._test: VersionTest[PairCounts] | VersionTest[PairDifferences] = (
            VersionTest(PairCounts(), self._size, most)
            if self._ranked
            else VersionTest(PairDifferences(), self._size, most)
        )
        self._points = [0.0, 0.0]

    @property
    def most_matches(self) -> int:
        return self._test.most_pairs * self._lap

    @property
    def announcement(self) -> str:
        """How long it will take, to be shown before the first match."""
        none, some = (math.ceil(pairs) * self._lap for pairs in self._expected)
        unit = f"{self._size:g} Elo" if self._ranked else f"{self._size:g} standard deviations of a pair"
        return (
            f"A gain of {unit} counts as better; 5 % error. Expected: about {none} matches between equals, "
            f"about {some} where the gain is real, at most {self.most_matches}."
        )

    def add(self, encounter: Encounter, result: MatchResult) -> bool:
        """Count a match; whether the test has ended."""
        for seat, bot in enumerate(encounter.order):
            if bot < 2:
                self._points[bot] += result.outcome.points[seat]
        if encounter.number % self._lap:
            return False
        new, old = self._points
        self._points = [0.0, 0.0]
        self._test = self._test.add(new if self._ranked else (new - old) / self._lap)
        return self._test.verdict is not Verdict.RUNNING

    @property
    def progress(self) -> str:
        test = self._test
        return (
            f"{test.evidence.pairs} pairs, log-likelihood ratios: better {test.better.ratio:+.2f}, worse "
            f"{test.worse.ratio:+.2f} (bounds {test.bounds.lower:.2f}, {test.bounds.upper:+.2f}), {self._estimate()}"
        )

    def summary(self, new: str, old: str) -> str:
        return f"{_VERDICTS[self._test.verdict].format(new=new, old=old)}\n{self.progress}"

    def _estimate(self) -> str:
        """By how much the first is stronger, with a 95 % interval that does not correct for stopping early."""
        evidence = self._test.evidence
        if evidence.pairs < 2:
            return "no estimate yet"
        if isinstance(evidence, PairCounts):
            return _elo(evidence)
        half = t95(evidence.pairs - 1) * math.sqrt(evidence.squares / (evidence.pairs - 1) / evidence.pairs)
        return f"difference of a match {evidence.mean:+.2f} ± {half:.2f}"


def _elo(evidence: PairCounts) -> str:
    low, high = wilson(2 * evidence.score * evidence.pairs, 2 * evidence.pairs)
    if evidence.score in (0, 1):  # nothing but wins has no finite Elo
        return f"Elo above {elo_of(low):+.0f}" if evidence.score else f"Elo below {elo_of(high):+.0f}"
    if evidence.deviation:
        half = Z95 * evidence.deviation / math.sqrt(evidence.pairs)
        low, high = max(low / 2, evidence.score - half), min((1 + high) / 2, evidence.score + half)
    return f"Elo {elo_of(evidence.score):+.0f} ({elo_of(low):+.0f} to {elo_of(high):+.0f})"


def _expected_pairs(gain: Gain, *, ranked: bool) -> tuple[float, float]:
    separation = (expected_score(gain.elo) - 0.5) / _DRAWLESS_DEVIATION if ranked else gain.effect
    return expected_pairs(Bounds.of_error(), separation)
