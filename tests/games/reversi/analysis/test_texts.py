"""Every opening, problem and grade has a display string."""

from __future__ import annotations

import re

from arena.games.reversi.analysis import texts
from arena.games.reversi.analysis.presentation import discs_text, evaluation
from arena.games.reversi.lines import LineError, LineProblem
from arena.games.reversi.move_grades import Grade
from arena.games.reversi.opening_names import OPENINGS


def test_every_opening_has_a_translatable_name() -> None:
    assert {name for name, _ in OPENINGS} == set(texts.OPENINGS)
    assert all(str(shown) == name for name, shown in texts.OPENINGS.items())


def test_translated_problem_texts_use_the_same_parameters() -> None:
    assert set(texts.PROBLEMS) == set(LineProblem)
    assert set(texts.GRADES) == set(Grade)
    for problem, sentence in texts.PROBLEMS.items():
        names = set(re.findall(r"%\((\w+)\)s", str(sentence)))
        assert names == set(re.findall(r"%\((\w+)\)s", problem.value))
        text = texts.problem_text(LineError(problem, dict.fromkeys(names, "X")))
        assert "%(" not in text
        assert not names & {"side", "stated"} or "Black" in text


def test_problems_say_what_happened_and_what_to_do_next() -> None:
    assert [problem.name for problem in LineProblem if len(problem.value.split(". ")) != 2] == []


def test_values_are_shown_with_sign_and_uncertainty() -> None:
    shown = [evaluation(value, exact=True).text for value in (600, -200, 0)]
    assert shown == ["+6", "\N{MINUS SIGN}2", "0"]
    shown = [evaluation(value, exact=False).text for value in (340, -25, 4)]
    assert shown == ["≈ +3.4", "≈ \N{MINUS SIGN}0.2", "≈ 0.0"]
    assert (discs_text(-750, exact=False), discs_text(800, exact=True)) == ("7.5", "8")
