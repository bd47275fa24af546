"""Ranks in a match: tied players share the better rank, and before the first round, all players are tied."""

from __future__ import annotations

from arena.games.golden_point.evaluation.golden_match import GoldenMatch
from tests.games.golden_point.evaluation.matches import match_of


def test_tied_players_share_the_better_rank() -> None:
    played = match_of([(10.0,), (10.0,), (90.0,), None], [None, None, (20.0,), (20.0,)])
    assert played.totals() == [3, 3, 0, 2]
    assert played.ranks() == [1, 1, 4, 3]


def test_all_players_are_tied_before_the_first_round() -> None:
    played = GoldenMatch.from_rounds(["A", "B"], [])
    assert (played.totals(), played.ranks()) == ([0, 0], [1, 1])
