"""The golden-point analysis pages show which numbers would have won a round for a player."""

from __future__ import annotations

import pytest

from arena.games.golden_point.analysis.presentation import round_json
from arena.games.golden_point.evaluation.golden_match import GoldenMatch
from arena.games.golden_point.rules import score_round


@pytest.mark.parametrize(("own", "times"), [((25.0,), 1), ((25.0, 30.0), 2)])
def test_winning_number_repeats_once_per_number_of_the_player(own: tuple[float, ...], times: int) -> None:
    others = (20.0, 40.0)
    wins = round_json(GoldenMatch.from_rounds(["Ann", "Bo"], [(1, [own, others])]), 0)["wins"][0]
    assert wins["times"] == times
    assert score_round([(wins["best"],) * times, others]).golden == pytest.approx(wins["best"])
    assert score_round([(wins["low"] + 0.01,) * times, others]).nearest == (0,)
    assert score_round([(wins["best"],) * (3 - times), others]).golden != pytest.approx(wins["best"])


def test_absent_or_unopposed_players_have_no_winning_number() -> None:
    match = GoldenMatch.from_rounds(["Ann", "Bo"], [(1, [None, (20.0,)])])
    assert round_json(match, 0)["wins"] == [None, None]
