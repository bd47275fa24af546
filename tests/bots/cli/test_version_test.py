"""The progress of a version test counts pairs of matches."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from arena.core.ranking.version_test import Gain
from arena.core.referee.play import MatchResult
from arena.games.registry import GAMES
from bots.cli.schedule import schedule
from bots.cli.version_test import VersionSeries


def test_progress_counts_one_pair_in_the_singular() -> None:
    series = VersionSeries(GAMES["reversi"], 2, Gain.LARGE, None)
    drawn = cast(MatchResult, SimpleNamespace(outcome=SimpleNamespace(points=(0.5, 0.5))))
    counted = [series.progress.split(",")[0]]
    for match in schedule("reversi", 2, 4, 1, {}, 0):
        series.add(match, drawn)
        counted.append(series.progress.split(",")[0])
    assert counted == ["0 pairs", "0 pairs", "1 pair", "1 pair", "2 pairs"]
