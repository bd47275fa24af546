"""The docstring check finds classes and modules whose docstrings do not begin with a noun phrase."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docstrings import find_wrong_beginnings, main


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


def test_exit_status_reports_the_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(tmp_path) == 0
    beginnings(tmp_path, 'class Form:\n    """Filters a list."""\n')
    assert main(tmp_path) == 1
    assert "begins with 'Filters'" in capsys.readouterr().out
