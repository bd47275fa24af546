"""The vocabulary check finds the words that the glossary rules out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vocabulary import AVOIDED as LISTED
from tests.vocabulary import AVOIDED_IN_NAMES, ROOT, AvoidedPhrase, find_avoided_phrases

AVOIDED = (AvoidedPhrase("by lot", "random draw", ("games/dice/",)),)


def lines_found(root: Path, **files: str) -> list[str]:
    for name, text in files.items():
        path = root / (name if "/" in name else name.replace("__", "/").replace("_DOT_", "."))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [f"{one.path}:{one.line}" for one in find_avoided_phrases(root, AVOIDED)]


def test_the_glossary_has_forty_terms_in_alphabetical_order() -> None:
    section = (ROOT / "docs" / "architecture.md").read_text().partition("\n## Glossary\n")[2]
    terms = [line.split(" | ")[0].removeprefix("| ") for line in section.splitlines() if line.startswith("| ")][1:]
    assert len(terms) == 40
    assert terms == sorted(terms)


def test_documents_docstrings_and_comments_are_searched(tmp_path: Path) -> None:
    assert lines_found(
        tmp_path,
        README_DOT_md="Seats are drawn\nby\nlot.\n",
        arena__fields_DOT_py='class Draw:\n    seats = 2\n    """Drawn by lot."""\n',
        arena__seats_DOT_py='"""Draw seats.\n\n    By lot.\n    """\nx = 1  # by lot\n# drawn by\n# lot\n',
    ) == ["README.md:2", "arena/fields.py:3", "arena/seats.py:3", "arena/seats.py:5", "arena/seats.py:6"]


def test_code_and_permitted_places_are_skipped(tmp_path: Path) -> None:
    assert (
        lines_found(
            tmp_path,
            docs__seats_DOT_md="```\nby lot\n```\n`by lot`\n",
            arena__seats_DOT_py="by = lot\nby.lot()\n",
            arena__games__dice__seats_DOT_py="# by lot\n",
        )
        == []
    )


def test_page_and_command_line_texts_are_searched(tmp_path: Path) -> None:
    assert lines_found(
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


@pytest.mark.parametrize(
    "code",
    [
        'x = "lots"',
        'x = "drawn by " "lot"',
        'x = "drawn by \\\nlot"',
        'x = "drawn by\\nlot"',
        'x = "by-lot"',
        'x = "seats_by_lot"',
        "seats_by_lot = 1",
        "def draw_by_lot(): ...",
        "class ByLot: ...",
        "class SeatsDrawnByLot: ...",
        "drawByLot = 1",
        'x = "drawn by " + "lot"',
        'x = f"{seats} drawn by lot"',
        'x = f"{seats} drawn by " f"lot"',
        "x = f\"{draw('by lot')}\"",
        'x = "drawn " + draw("by lot")',
    ],
)
def test_strings_are_read_as_the_program_sees_them(tmp_path: Path, code: str) -> None:
    (tmp_path / "arena").mkdir()
    (tmp_path / "arena" / "seats.py").write_text(f"{code}\n")
    assert [one.line for one in find_avoided_phrases(tmp_path, (AvoidedPhrase("by lot|lots", "random draw"),))] == [1]


def test_names_of_files_and_folders_are_searched(tmp_path: Path) -> None:
    assert lines_found(tmp_path, **{"arena/by_lot.py": "", "tests/by_lot/seats.py": "", "static/js/by-lot.js": ""}) == [
        "arena/by_lot.py:1",
        "tests/by_lot/seats.py:1",
        "static/js/by-lot.js:1",
    ]


def test_some_words_are_avoided_only_in_names(tmp_path: Path) -> None:
    (tmp_path / "arena").mkdir()
    (tmp_path / "arena" / "seats.py").write_text(
        '"""Keeping seats."""\n\n\nclass SeatKeeping:\n    def keeping(self): ...\n'
    )
    (tmp_path / "arena" / "keeping.py").write_text("keeping = 1\n")
    (tmp_path / "arena" / "housekeeping.py").write_text("")
    found = find_avoided_phrases(tmp_path, (), (AvoidedPhrase("keeping", "retention"),))
    assert [f"{one.path}:{one.line}" for one in found] == ["arena/keeping.py:1", "arena/seats.py:4", "arena/seats.py:5"]


def test_names_in_scripts_are_searched(tmp_path: Path) -> None:
    (tmp_path / "static/js").mkdir(parents=True)
    (tmp_path / "static/js/seats.js").write_text(
        "function clockwork() {\n}\nasync function breakoutHolder() {\n}\nexport class LifelineKeeper {\n"
        "  async #clockwork(seat) {\n    const holder = seat;\n  }\n}\nexport const drawByLot = () => 1;\n"
    )
    found = {(one.line, one.text) for one in find_avoided_phrases(tmp_path, AVOIDED)}
    assert found == {
        *((1, "clockwork"), (3, "breakout"), (3, "Holder"), (5, "Lifeline"), (6, "clockwork")),
        (10, "By_Lot"),
    }


@pytest.mark.parametrize(
    "text",
    [
        "To stop them, if they shall not come back",
        "It does not come again",
        "until you let it go on",
        "who is level in all",
        "counts for nobody",
        "It counts for no leaderboard",
        "a bot leaves without a rank",
        "Plays every other move by chance",
        "What I am told",
        "What explains this game",
        "fallen out of a room",
        "Let it play",
        "can be set back",
        "the file counts",
        "something that is no ordinary file",
        "Whoever loses is out.",
    ],
)
def test_phrases_that_read_like_translations_are_found(tmp_path: Path, text: str) -> None:
    (tmp_path / "README.md").write_text(text)
    assert list(find_avoided_phrases(tmp_path))


def test_the_list_is_short() -> None:
    assert len(LISTED) + len(AVOIDED_IN_NAMES) <= 64


def test_packages_are_not_named_by_their_side(tmp_path: Path) -> None:
    for name in ("arena/outside/cores.py", "arena/inside.py", "arena/outside_in.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    assert [one.path for one in find_avoided_phrases(tmp_path)] == ["arena/inside.py", "arena/outside/cores.py"]


def test_words_separated_by_an_expression_are_not_a_phrase(tmp_path: Path) -> None:
    assert lines_found(tmp_path, arena__seats_DOT_py='x = f"by {a}lot"\ny = "by " + a + "lot"\n') == []


def test_pages_and_scripts_are_read_as_a_browser_shows_them(tmp_path: Path) -> None:
    assert lines_found(
        tmp_path,
        templates__seats_DOT_html="<p>Seats</p>\n<p>by&nbsp;l&#111;t</p>\n<p>by <em>lot</em></p>\n",
        tests__pages__seats_DOT_html="<p>by lot</p>\n",
        static__js__seats_DOT_js='// Seats are drawn by\n// lot.\nconst text = "by " +\n  "lot";\n',
        tests__games__seats_DOT_test_DOT_mjs="// Seats by lot\n",
    ) == [
        "static/js/seats.js:1",
        "static/js/seats.js:3",
        "templates/seats.html:2",
        "templates/seats.html:3",
        "tests/games/seats.test.mjs:1",
        "tests/pages/seats.html:1",
    ]


def test_all_folders_of_documents_and_build_files_are_searched(tmp_path: Path) -> None:
    paths = [
        *(".ci/run", "CHANGELOG.md", "Dockerfile", "Makefile", "docker-compose.yml", "docker/limits.yml"),
        *(
            "docs/games/dice.md",
            "docs/games/dice.yaml",
            "docs/games/dice.json",
            "esbuild.config.js",
            "pyproject.toml",
            "tests/data/README.md",
        ),
    ]
    texts = {path.replace("/", "__").replace(".", "_DOT_"): "# by lot\n" for path in paths}
    assert sorted(lines_found(tmp_path, **texts)) == sorted(f"{path}:1" for path in paths)


def test_every_form_of_a_verb_is_found(tmp_path: Path) -> None:
    texts = ("It breaks out.", "It broke out.", "A match that was replayed.", "Matches are replayed.")
    (tmp_path / "README.md").write_text("\n".join(texts))
    assert [one.line for one in find_avoided_phrases(tmp_path)] == [1, 2, 3, 4]


def test_translations_are_searched_across_lines(tmp_path: Path) -> None:
    text = 'msgid "by\\nlot"\nmsgstr "乙"\n\nmsgid "b"\nmsgstr ""\n"甲不"\n"合法。"\n'
    path = tmp_path / "locale/zh_Hans/LC_MESSAGES/django.po"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    (tmp_path / "locale/zh_Hans/code.toml").write_text('"a" = "合法"\n\n"b" = "不合法"\n', encoding="utf-8")
    avoided = (AvoidedPhrase("by lot", "random draw"), AvoidedPhrase("不合法", "非法"))
    assert [(Path(one.path).name, one.line, one.instead) for one in find_avoided_phrases(tmp_path, avoided)] == [
        ("django.po", 1, "random draw"),
        ("django.po", 5, "非法"),
        ("code.toml", 3, "非法"),
    ]
