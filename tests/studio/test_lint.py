"""The linter locates errors; the server never executes the source, and no source makes it hang or fail."""

from __future__ import annotations

import pytest

from arena.games.bot_packages import starter
from arena.games.registry import GAMES
from arena.studio.lint import CHECKED_CHARS, Severity, problems_of


def test_syntax_error_has_line_and_column() -> None:
    (problem,) = problems_of("def get_move(board):\n    return board.get_legal_actions('X'\n")
    assert (problem.line, problem.severity) == (2, Severity.ERROR)
    assert problem.column == 34
    assert "never closed" in problem.message


def test_undefined_name_is_an_error_and_unused_import_a_warning() -> None:
    found = problems_of("import os\n\n\ndef get_move(board):\n    return bord\n")
    assert [(one.line, one.column, one.severity, one.code) for one in found] == [
        (1, 0, Severity.WARNING, "UnusedImport"),
        (5, 11, Severity.ERROR, "UndefinedName"),
    ]
    assert [one.message.split()[0] for one in found] == ["os", "bord"]


@pytest.mark.parametrize("game", GAMES)
def test_starters_have_no_problems(game: str) -> None:
    assert problems_of(starter(game)) == []


@pytest.mark.parametrize(
    "attack",
    [
        "import os\nos.abort()\n",
        "raise SystemExit\n",
        "(" * 50_000,
        "-" * 99_000 + "1",
        "a." * 30_000 + "b",
        "x = " + "[" * 90 + "]" * 90,
        "if 1:\n" + "".join(" " * level + "if 1:\n" for level in range(1, 99)) + " " * 99 + "pass\n",
        "\0",
        "\ufeff" + "x = 1\n",
        "# coding: rot13\nvzcbeg bf\n",
        "'\\d'\n",
        "x = 9" + "9" * 90_000 + "\n",
        "\ud800",
        "f'" + "{" * 2_000,
        "x" * (CHECKED_CHARS + 1),
    ],
    ids=lambda text: repr(text[:12]),
)
def test_malicious_source_neither_runs_nor_crashes_the_linter(attack: str) -> None:
    for problem in problems_of(attack):
        assert problem.message
        assert problem.line >= 1
