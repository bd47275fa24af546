"""Golden-point scripts in the course's format read ``T<TAB>S``, then T lines, and answer with one line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.core.referee.faults import FaultKind
from bots.golden_point.sdk.golden_lines import GoldenLines
from bots.sdk.answers import Unusable
from tests.bots.conversation import pack_numbers
from tests.bots.message_texts import codes, english_text
from tests.bots.sdk.scripts import examples, matches
from tests.games.golden_point.evaluation.matches import RECORDED

GUIDES = Path(__file__).resolve().parents[4] / "bots" / "golden_point" / "scripts" / "golden_lines.py"


def dialect(numbers: int = 2, seats: int = 3) -> GoldenLines:
    return GoldenLines({"seat": 0, "seats": seats, "settings": {"numbers": numbers, "rounds": 9}}, "")


def test_input_contains_all_rounds_with_zeros_for_absent_players() -> None:
    lines = dialect()
    lines.begin({"score": 0})
    lines.observe({"score": 0}, {"round": 1, "previous": None})
    assert lines.first_input() == "0\t7\n"
    played = [(1.5, 2.0), (1e-05, 99.0)]
    lines.observe(
        {"score": 3}, {"round": 2, "previous": {"golden": 9.5, "numbers": pack_numbers(played), "silent": [1]}}
    )
    assert lines.first_input() == "1\t7\n9.5\t1.5\t2.0\t0\t0\t1e-05\t99.0\n"


def test_late_joiner_has_zeros_for_earlier_rounds() -> None:
    lines = dialect(seats=1)
    lines.observe({"score": 0}, {"round": 1, "previous": None})
    lines.observe(
        {"score": 0}, {"round": 2, "previous": {"golden": 1.5, "numbers": pack_numbers([(2, 3)]), "silent": []}}
    )
    assert lines.first_input() == "1\t3\n1.5\t2.0\t3.0\n"
    missed = [{"golden": 2.5, "numbers": pack_numbers([(2, 3), (4, 5)]), "silent": []}]
    lines.observe({"score": 0}, {"round": 3, "previous": None, "missed": missed, "players": 2})
    assert lines.first_input() == "2\t5\n1.5\t2.0\t3.0\t0\t0\n2.5\t2.0\t3.0\t4.0\t5.0\n"


def test_input_has_the_format_of_the_courses_recorded_match() -> None:
    first, *rest = RECORDED.read_text().splitlines()
    rounds, columns = map(int, first.split("\t"))
    assert (len(rest), {len(line.split("\t")) for line in rest}) == (rounds, {columns})
    lines = dialect(numbers=2, seats=23)
    lines.observe({"score": 0}, {"round": 1, "previous": None})
    assert lines.first_input() == f"0\t{columns}\n"


@pytest.mark.parametrize(
    ("printed", "numbers", "answer"),
    [
        ("1.5\t2\n", 2, [1.5, 2.0]),
        ("thinking 3\n\n1.5 2\nbye\n", 2, [1.5, 2.0]),
        ("1\t2\n3\t4\n", 2, [3.0, 4.0]),
        ("7\t9\n", 1, [7.0]),
        ("7", 1, [7.0]),
        ("7\n", 2, [7.0]),
    ],
)
def test_last_line_of_numbers_is_the_answer(printed: str, numbers: int, answer: list[float]) -> None:
    assert dialect(numbers).answer(printed) == answer


@pytest.mark.parametrize(
    ("printed", "reason"),
    [("", "printed nothing"), ("\n \n", "printed nothing"), ("a\tb\n", "printed 'a\\tb'"), ("nan\tinf", "'nan\\tinf'")],
)
def test_invalid_output_is_reported(printed: str, reason: str) -> None:
    with pytest.raises(Unusable) as refused:
        dialect().answer(printed)
    assert refused.value.code in ("bot.script.nothing_printed", "bot.script.no_answer")
    assert reason in english_text(refused.value)


@pytest.mark.parametrize("numbers", [1, 2])
@pytest.mark.parametrize("script", [examples.GOLDEN, GUIDES.read_text()])
def test_script_plays_a_match(tmp_path: Path, numbers: int, script: str) -> None:
    result = matches.golden(tmp_path, script, numbers)
    assert result.diagnoses[0] is None
    first, second = (turn.moves[0].move for turn in result.record.turns[:2])
    assert first in ([19.1, 9.55][:numbers], [19.1, 19.1 * 0.95][:numbers])
    assert second != first


def test_script_and_its_modules_restart_every_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path / "0"))
    main = "import sys, side\nside.count += 1\nprint(side.count, side.count + 1)\nsys.exit()\ninput()\n"
    result = matches.golden(tmp_path, main, side="count = 1\n")
    del sys.modules["side"]
    assert [turn.moves[0].move for turn in result.record.turns] == [[2.0, 3.0]] * 5


@pytest.mark.parametrize(
    ("main", "kind", "reason"),
    [
        ("input()", FaultKind.ILLEGAL_MOVE, "bot.script.nothing_printed"),
        ("input(); print('a', 3)", FaultKind.ILLEGAL_MOVE, "bot.script.no_answer"),
        ("input(); print(3, 100)", FaultKind.ILLEGAL_MOVE, "golden_point.range"),
        ("input(); print(3)", FaultKind.ILLEGAL_MOVE, "golden_point.pair"),
        ("input(); input()", FaultKind.CRASH, "bot.input_ended"),
        ("input(); 1 / 0", FaultKind.CRASH, "ZeroDivisionError"),
    ],
)
def test_script_errors_are_explained(tmp_path: Path, main: str, kind: FaultKind, reason: str) -> None:
    found = matches.golden(tmp_path, main).diagnoses[0]
    assert found is not None
    assert (found.kind, found.turn) == (kind, 1)
    assert reason in codes(found.message) if "." in reason else reason in found.message.text
    if kind is FaultKind.CRASH:
        assert (found.file, found.line) == ("main.py", 1)
