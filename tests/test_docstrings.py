"""The docstring check finds docstrings and comments that begin in another style."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docstrings import find_clauses_in_markup, find_wrong_beginnings, find_wrong_comments, main


def beginnings(root: Path, source: str) -> list[str]:
    (root / "arena").mkdir()
    (root / "arena" / "forms.py").write_text(source)
    return list(find_wrong_beginnings(root))


@pytest.mark.parametrize("first", ["Validates uploads.", "Passes records on.", "Run bots.", "Runs.", "What it needs."])
def test_class_that_begins_with_a_verb_or_clause_is_found(tmp_path: Path, first: str) -> None:
    source = f'"""Forms."""\n\n\nclass Outer:\n    class Form:\n        """{first}\n\n        Rest.\n        """\n'
    word = first.split()[0].rstrip(".")
    assert beginnings(tmp_path, source) == [f"arena/forms.py:6: docstring begins with {word!r}"]


@pytest.mark.parametrize(
    "first",
    ["A form that runs bots.", "The rows.", "Django's login form.", "Progress so far.", "ASGI middleware."],
)
def test_class_that_begins_with_a_noun_phrase_is_accepted(tmp_path: Path, first: str) -> None:
    assert beginnings(tmp_path, f'class Form:\n    """{first}"""\n\n\nclass Other:\n    pass\n') == []


def test_module_may_begin_with_an_imperative_but_not_with_a_clause(tmp_path: Path) -> None:
    assert beginnings(tmp_path, '"""Play one match."""\n') == []
    (tmp_path / "arena" / "clause.py").write_text('"""\nHow the client handles names."""\n')
    assert list(find_wrong_beginnings(tmp_path)) == ["arena/clause.py:1: docstring begins with 'How'"]


def comments(root: Path, source: str) -> list[str]:
    folder = root / "arena" / "games" / "dice" / "static" / "dice"
    folder.mkdir(parents=True)
    (folder / "view.js").write_text(source)
    return [found.removeprefix("arena/games/dice/static/dice/") for found in find_wrong_comments(root)]


@pytest.mark.parametrize(
    "first", ["The sum.", "A sum.", "As many as fit.", "Whether it fits.", "Returns it.", "Who: all"]
)
@pytest.mark.parametrize(
    "code",
    ["function sum(a, b) {", "export async function sum({ a }) {", "export const sum = (a) => a;", "  get sum() {"],
)
def test_script_function_that_does_not_begin_with_an_imperative_is_found(tmp_path: Path, first: str, code: str) -> None:
    source = f"/** Dice. */\n\n/**\n * {first}\n * @param {{number}} a\n */\n{code}\n"
    word = first.split()[0].rstrip(":")
    assert comments(tmp_path, source) == [f"view.js:3: comment begins with {word!r}"]


def test_script_class_and_module_follow_the_rules_of_python(tmp_path: Path) -> None:
    source = "/** How dice roll. */\n\n/** Rolls dice. */\nexport class Dice {\n  /** The number. */\n  count = 1;\n}\n"
    assert comments(tmp_path, source) == [
        "view.js:1: comment begins with 'How'",
        "view.js:3: comment begins with 'Rolls'",
    ]


def test_script_comments_in_the_style_are_accepted(tmp_path: Path) -> None:
    source = (
        "/** Roll dice. */\n\n/** A cup of dice. */\nclass Cup {\n"
        "  /** Return the sum. @param {number} a */\n  sum(a) {\n"
        "  /** @returns {boolean} whether it is empty */\n  isEmpty() {\n"
    )
    assert comments(tmp_path, source) == []


def test_comments_of_templates_and_style_sheets_do_not_begin_with_a_clause(tmp_path: Path) -> None:
    files = {
        "templates/rules.html": "{# How to play. #}\n{# The rules. #}\n{% comment %}\n  Who wins.\n{% endcomment %}\n",
        "arena/games/dice/static/dice/dice.css": "/* A die. */\n\n/* What rolls. */\n",
    }
    for name, source in files.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(source)
    assert list(find_clauses_in_markup(tmp_path)) == [
        "arena/games/dice/static/dice/dice.css:3: comment begins with 'What'",
        "templates/rules.html:1: comment begins with 'How'",
        "templates/rules.html:3: comment begins with 'Who'",
    ]


def test_exit_status_reports_the_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(tmp_path) == 0
    beginnings(tmp_path, 'class Form:\n    """Filters a list."""\n')
    assert main(tmp_path) == 1
    assert "begins with 'Filters'" in capsys.readouterr().out


def test_exit_status_covers_scripts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    comments(tmp_path, "/** The sum. */\nfunction sum() {\n")
    assert main(tmp_path) == 1
    assert "comment begins with 'The'" in capsys.readouterr().out
