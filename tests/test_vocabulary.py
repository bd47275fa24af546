"""The check that finds words that docs/glossary.md rules out."""

from __future__ import annotations

from pathlib import Path

from tests.vocabulary import Avoided, find

AVOIDED = (Avoided("by lot", "random draw", ("games/dice/",)),)


def found(root: Path, **files: str) -> list[str]:
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [f"{one.path}:{one.line}" for one in find(root, AVOIDED)]


def test_documents_docstrings_and_comments_are_searched(tmp_path: Path) -> None:
    assert found(
        tmp_path,
        README_DOT_md="Seats are drawn\nby\nlot.\n",
        arena__fields_DOT_py='class Draw:\n    seats = 2\n    """Drawn by lot."""\n',
        arena__seats_DOT_py='"""Draw seats.\n\n    By lot.\n    """\nx = 1  # by lot\n# drawn by\n# lot\n',
    ) == ["README.md:2", "arena/fields.py:3", "arena/seats.py:3", "arena/seats.py:5", "arena/seats.py:6"]


def test_code_and_permitted_places_are_skipped(tmp_path: Path) -> None:
    assert (
        found(
            tmp_path,
            docs__seats_DOT_md="```\nby lot\n```\n`by lot`\n",
            arena__seats_DOT_py='name = "by-lot"\nby = lot\n',
            arena__games__dice__seats_DOT_py="# by lot\n",
        )
        == []
    )


def test_page_and_command_line_texts_are_searched(tmp_path: Path) -> None:
    assert found(
        tmp_path,
        templates__seats_DOT_html="<p>{% translate 'Seats are drawn by lot.' %}</p>\n",
        tests__js__seats_DOT_test_DOT_mjs="// Seats by lot\n",
        static__js__seats_DOT_js="/** Seats drawn by\n * lot. */\n",
        bots__seats_DOT_py='say(\n    "Seats are drawn by "\n    "lot."\n)\nsay(f"{seats} by lot")\n',
        tests__test_seats_DOT_py='"""Seats by lot."""\n',
    ) == [
        "static/js/seats.js:1",
        "templates/seats.html:1",
        "tests/js/seats.test.mjs:1",
        "bots/seats.py:2",
        "bots/seats.py:5",
        "tests/test_seats.py:1",
    ]


def test_translations_are_searched_across_lines(tmp_path: Path) -> None:
    text = 'msgid "a"\nmsgstr "乙"\n\nmsgid "b"\nmsgstr ""\n"甲不"\n"合法。"\n'
    path = tmp_path / "locale/zh_Hans/LC_MESSAGES/django.po"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    assert [(one.line, one.instead) for one in find(tmp_path, (Avoided("不合法", "非法"),))] == [(5, "非法")]
