"""The verdict under the title of a finished match: the move that gave most away."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from arena.games.fib2584.reports import seat_reports
from arena.games.fib2584.study import review as reviewing
from arena.games.fib2584.study.review import review
from arena.games.wording import worded
from tests.games.fib2584.test_reports import played


@pytest.fixture(autouse=True)
def record(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(reviewing, "record_of", lambda match_id, game: played() if match_id == 7 else None)


def test_each_seat_has_its_worst_move_in_the_order_of_turns() -> None:
    found = review(7)

    assert found
    worst = [report.worst for report in seat_reports(played()) if report.worst and report.worst.regret >= 1]
    assert sorted((one.turn, one.seat) for one in worst) == [(one.turn, one.seat) for one in found.verdicts]
    assert worst
    assert " gave away most in turn " in worded(found.verdicts[0].message)


def test_there_is_none_of_other_matches_and_of_very_long_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    assert review(8) is None
    monkeypatch.setattr(reviewing, "_MOST_MOVES", 3)
    assert review(7) is None
