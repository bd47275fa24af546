"""The verdict under the title of a finished match names the worst move of each seat."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from arena.games.fib2584.reports import seat_reports
from arena.games.fib2584.study import review as reviewing
from arena.games.fib2584.study.review import review
from tests.bots.fib2584.matches import best_direction, worst_direction
from tests.bots.fib2584.matches import play_match as played_by

RECORD = played_by([worst_direction, best_direction])


@pytest.fixture(autouse=True)
def record(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(reviewing, "record_of", lambda match_id, game: RECORD if match_id == 7 else None)
    monkeypatch.setattr(reviewing, "seat_rows", lambda match_id: [])
    monkeypatch.setattr(reviewing, "unambiguous_names", lambda lines: [seat.name for seat in RECORD.seats])


def test_each_seats_worst_move_is_listed_in_order_of_turns() -> None:
    found = review(7)

    assert found
    worst_moves = [report.worst for report in seat_reports(RECORD) if report.worst and report.worst.regret >= 1]
    assert sorted((one.turn, one.seat) for one in worst_moves) == [(one.turn, one.seat) for one in found.verdicts]
    assert [one.seat for one in found.verdicts] == [0], "exact play gives nothing away"
    assert found.verdicts[0].message.code == "fib2584.verdict.worst"


def test_loser_without_mistakes_also_has_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewing, "_MIN_REGRET", 1e9)
    found = review(7)

    assert found
    (verdict,) = found.verdicts
    assert (verdict.seat, verdict.turn) == (0, 0)
    assert verdict.message.code == "fib2584.verdict.steady"


def test_other_games_and_very_long_matches_have_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    assert review(8) is None
    monkeypatch.setattr(reviewing, "_MAX_MOVES", 3)
    assert review(7) is None
