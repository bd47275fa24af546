"""The tally counts results and displays the totals."""

from __future__ import annotations

from arena.core.referee.clock import FakeClock
from arena.core.referee.play import MatchResult
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from bots.cli.tally import Tally, count_match, format_results
from tests.core.referee.matches import golden_spec, play_to_end


def golden(*numbers: float | str) -> MatchResult:
    """Play one round in which each seat submits its number; a string stands for an illegal answer."""
    clock = FakeClock()
    players = [ScriptedPlayer(clock, then=lambda _, number=number: ScriptedTurn([number])) for number in numbers]
    return play_to_end(golden_spec(len(numbers), rounds=1, numbers=1), players, clock)[0]


def test_shared_first_place_counts_as_a_fraction() -> None:
    tallies = [Tally("a"), Tally("b"), Tally("c")]
    count_match(golden(20.0, 20.0, 90.0), tallies)
    assert [(tally.wins, tally.draws, tally.losses) for tally in tallies] == [(0, 1, 0), (0, 1, 0), (0, 0, 1)]
    assert [tally.score for tally in tallies] == [0.5, 0.5, 0]
    count_match(golden(20.0, 80.0, 90.0), tallies)
    assert [tally.score for tally in tallies] == [1.5, 0.5, 0]


def test_table_of_many_shows_mean_ranks_without_losses() -> None:
    tallies = [Tally("a"), Tally("b"), Tally("c")]
    count_match(golden(20.0, 20.0, 90.0), tallies)
    count_match(golden(20.0, 80.0, 90.0), tallies)
    head, *lines = format_results(tallies).splitlines()
    assert "lost" not in head
    assert "mean rank" in head
    shown = {line.split()[0]: line.split()[1:4] for line in lines[:3]}
    assert shown == {one.name: [str(one.wins), str(one.draws), f"{sum(one.ranks) / 2:.1f}"] for one in tallies}
    assert [one.ranks[0] for one in tallies] == [1, 1, 3]


def test_faults_are_counted_by_kind_and_are_never_draws() -> None:
    tallies = [Tally("a"), Tally("b")]
    for _ in range(2):
        count_match(golden("no", "no"), tallies)
    assert [tally.losses for tally in tallies] == [2, 2]
    assert "2 illegal_move" in format_results(tallies)


def test_results_table_has_intervals() -> None:
    tallies = [
        Tally("strong", 18, 0, 2, 18.0, [1.0] * 18 + [0.0] * 2),
        Tally("weak", 2, 0, 18, 2.0, [0.0] * 18 + [1.0] * 2),
    ]
    first, second, *_, note = format_results(tallies).splitlines()
    assert first.split() == ["bot", "won", "drawn", "lost", "rate", "interval", "points", "slowest", "s", "faults"]
    assert second.split() == ["strong", "18", "0", "2", "90.0", "%", "69.9-97.2", "%", "18", "0.000"]
    assert "Wilson" in note


def test_mean_points_are_shown_if_they_differ_from_the_score() -> None:
    shown = format_results([Tally("a", 2, 0, 0, 2.0, [3.0, 9.0]), Tally("b", 0, 0, 2, 0.0, [1.0, 1.0])])
    assert "6.0 +- 38.1" in shown
    assert "1.0 +- 0.0" in shown
