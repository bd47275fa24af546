"""The results of a run's matches are aggregated into a rate with its interval, or into a mean score."""

from __future__ import annotations

import pytest

from arena.core.ranking.interval import wilson_interval
from arena.games.base import Outcome, Termination
from arena.studio.score import result_of, score_summary


def outcome(*ranks: int) -> Outcome:
    points = tuple(float(10 - rank) for rank in ranks)
    return Outcome(points, ranks, points, Termination.COMPLETED)


@pytest.mark.parametrize(
    ("ranks", "seat", "score"),
    [
        ((1, 2), 0, 1.0),
        ((1, 2), 1, 0.0),
        ((1, 1), 0, 0.5),
        ((2, 1, 3, 4), 0, 0.0),
        ((2, 1, 3, 4), 1, 1.0),
        ((1, 4, 1, 1), 0, 1 / 3),
        ((1, 3, 1, 3), 1, 0.0),
        ((1,), 0, None),
    ],
)
def test_score_is_a_win_or_a_share_of_first_place(ranks: tuple[int, ...], seat: int, score: float | None) -> None:
    assert result_of(outcome(*ranks), seat)["score"] == score


def test_second_place_of_four_is_no_win() -> None:
    results = [result_of(outcome(2, 1, 3, 4), 0)] * 15 + [result_of(outcome(1, 2, 3, 4), 0)] * 5
    found = score_summary("golden_point", 20, results)
    assert (found["rate"], found["won"], found["lost"]) == (0.25, 5, 15)
    assert (found["low"], found["high"]) == wilson_interval(5, 20)


def test_rate_has_a_wilson_interval() -> None:
    results = [result_of(outcome(1, 2), 0)] * 3 + [result_of(outcome(1, 1), 0)] + [result_of(outcome(2, 1), 0)]
    found = score_summary("reversi", 20, results)
    assert (found["played"], found["won"], found["lost"], found["rate"]) == (5, 3, 1, 0.7)
    assert (found["low"], found["high"]) == wilson_interval(3.5, 5)
    assert found["mean"] is None, "points of a ranked game are no score"


def test_rate_is_unknown_before_the_first_game() -> None:
    found = score_summary("reversi", 20, [])
    assert (found["rate"], found["low"], found["high"], found["mean"], found["half"]) == (None,) * 5


def test_single_player_series_has_a_mean_score() -> None:
    found = score_summary(
        "fib2584", 20, [{"seat": 0, "rank": 1, "points": points, "score": None} for points in (10, 20)]
    )
    assert (found["rate"], found["mean"]) == (None, 15.0)
    assert found["half"] == pytest.approx(63.53, abs=0.01)
