"""The downloads of a verified match contain its raw and luck-adjusted scores."""

from __future__ import annotations

import csv
import io
import random

from arena.core.referee.replay import replay, verify
from arena.games.fib2584.reports import report_of_seat, reported_moves, seat_reports
from arena.games.fib2584.site import SITE
from arena.games.fib2584.values import start_value
from arena.games.registry import GAMES
from arena.games.sites import export
from tests.bots.fib2584.matches import best_direction, play_match, worst_direction

NAMES = ["=exact", "worst"]


def export_rows(file: str) -> list[dict[str, str]]:
    found = export("fib2584", file)
    assert found is not None
    return list(
        csv.DictReader(io.StringIO(found.write(play_match([best_direction, worst_direction]), NAMES).lstrip("\ufeff")))
    )


def test_records_verify_and_replay() -> None:
    record = play_match([best_direction, worst_direction])
    assert verify(record, GAMES) == []
    turns = replay(record, GAMES)
    assert turns[-1]["view"]["adjusted"][0] == round(start_value(), 6)
    assert turns[-1]["view"]["totals"] == [int(2 * one.raw) for one in seat_reports(record)]


def test_report_of_a_seat_does_not_depend_on_other_seats() -> None:
    record = play_match([worst_direction, best_direction, worst_direction])
    assert [report_of_seat(record, seat) for seat in range(3)] == seat_reports(record)


def test_exact_play_has_no_regret_whatever_drops() -> None:
    for seed in range(5):
        report = seat_reports(play_match([best_direction], games=1, seed=seed))[0]
        assert (report.regret, report.adjusted, report.worst) == (0.0, start_value(), None)


def test_export_contains_raw_and_adjusted_scores() -> None:
    first, second = export_rows("scores.csv")
    assert (first["rank"], first["bot"], first["regret_per_game"]) == ("1", "'=exact", "0.0")
    assert float(first["luck_adjusted"]) == round(start_value(), 6)
    assert abs(float(first["raw_mean"]) - float(first["luck_adjusted"]) - float(first["luck"])) < 1e-5
    assert float(second["luck_adjusted"]) < float(first["luck_adjusted"])


def test_move_export_contains_the_regret_of_each_move() -> None:
    record = play_match([best_direction, worst_direction])
    assert [float(row["regret"]) for row in export_rows("moves.csv")] == [
        round(move.regret, 6) for move in reported_moves(record)
    ]
    assert {row["regret"] for row in export_rows("moves.csv") if row["bot"] == "'=exact"} == {"0.0"}


def test_hints_show_the_best_direction_and_all_values() -> None:
    people = SITE.people
    assert people is not None
    assert people.advice is not None
    game = GAMES["fib2584"]
    state = game.initial(game.settings({}), 1, random.Random(3))
    advice = people.advice(state, 0)
    assert advice is not None
    assert advice.answer == best_direction(state, 0)
    legal = [move.answer for move in people.moves(game.view(state, 0), 0)]
    assert len(advice.context["directions"]) == len(legal)
    assert advice.context["directions"][0]["lost"] == 0
