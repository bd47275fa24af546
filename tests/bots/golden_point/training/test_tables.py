"""Tables of house bots: results are reproducible and complete, the command prints them, and the recognizer wins."""

from __future__ import annotations

import random
from itertools import chain

import pytest

from bots.cli.locate import house_bots
from bots.golden_point.training import tables
from bots.golden_point.training.tables import Plan, compare_bots, create_player, play_match

SMALL = Plan(tables=3, seats=5, rounds=40)


@pytest.mark.long
def test_same_seed_gives_the_same_results() -> None:
    assert compare_bots(SMALL, 1) == compare_bots(SMALL, 1)
    assert compare_bots(SMALL, 1) != compare_bots(SMALL, 2)


@pytest.mark.long
def test_every_seat_of_every_table_is_counted() -> None:
    counted: list[int] = []
    results = compare_bots(SMALL, 4, on_table=counted.append)
    assert counted == [1, 2, 3]
    assert sum(len(result.ranks) for result in results) == SMALL.tables * SMALL.seats
    assert list(chain.from_iterable(result.ranks for result in results)).count(1) >= SMALL.tables
    assert [result.mean_rank for result in results] == sorted(result.mean_rank for result in results)


@pytest.mark.long
def test_recognizer_wins_among_all_others() -> None:
    random.seed(1)
    names = [name for name in house_bots("golden_point") if name != "recognizer"]
    outcome = play_match(Plan(rounds=100), [create_player(name) for name in ["recognizer", *names]])
    assert outcome.ranks[0] == 1


def test_command_prints_the_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    bots = ["steady", "trend", "last_golden"]
    monkeypatch.setattr("sys.argv", ["tables", *bots, "--seats", "3", "--tables", "2", "--rounds", "20"])
    tables.main()
    head, *lines = capsys.readouterr().out.splitlines()
    assert "mean rank" in head
    assert {line.split()[0] for line in lines} == set(bots)
    assert {line.split()[1] for line in lines} == {"2"}


@pytest.mark.parametrize(("wrong", "said"), [(["nobody"], "nobody"), (["--seats", "99"], "--seats must be at least 2")])
def test_invalid_arguments_are_rejected(
    wrong: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["tables", *wrong])
    with pytest.raises(SystemExit):
        tables.main()
    assert said in capsys.readouterr().err
