"""The check that finds words that the glossary rules out."""

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
        arena__seats_DOT_py='"""Draw seats.\n\n    By lot.\n    """\nx = 1  # by lot\n# drawn by\n# lot\n',
    ) == ["README.md:2", "arena/seats.py:3", "arena/seats.py:5", "arena/seats.py:6"]


def test_code_and_permitted_places_are_skipped(tmp_path: Path) -> None:
    assert (
        found(
            tmp_path,
            docs__seats_DOT_md="```\nby lot\n```\n`by lot`\n",
            arena__seats_DOT_py='name = "by lot"\n',
            arena__games__dice__seats_DOT_py="# by lot\n",
        )
        == []
    )
