"""A check finds game names that are used outside the games' own packages."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.game_names import find_game_names, repository_files, spellings, titles

PACKAGES = {
    "night_moves": ("arena.games.night_moves", "bots.night_moves"),
    "lotus": ("arena.games.lotus", "bots.lotus"),
}


@pytest.mark.parametrize(
    "text",
    ["night_moves", "night-moves", "nightMoves", "NightMovesGame", "NIGHT_MOVES", "Night moves", "nightmoves"],
)
def test_game_name_is_found_in_every_spelling(text: str) -> None:
    assert spellings("night_moves").search(text)


@pytest.mark.parametrize("text", ["lotuslike", "flowerless", "midnight_movies"])
def test_other_words_are_not_reported(text: str) -> None:
    assert not spellings("lotus").search(text)
    assert not spellings("night_moves").search(text)


@pytest.mark.parametrize("text", ["Night Moves", "夜行棋", "1597-board", "the 1597 board"])
def test_titles_are_found_like_names(text: str) -> None:
    assert spellings("moves", "Night Moves", "夜行棋", "1597").search(text)


@pytest.mark.parametrize("text", ["15970", "0x1597", "nightfall", "夜行"])
def test_parts_of_titles_are_not_reported(text: str) -> None:
    assert not spellings("moves", "Night Moves", "夜行棋", "1597").search(text)


def test_titles_of_all_languages_are_known() -> None:
    assert {"Reversi", "黑白棋"} == titles()["reversi"]
    assert {"2584"} == titles()["fib2584"]


def lines_found(root: Path, **texts: str) -> list[str]:
    subprocess.run(["git", "init", "-q", root], check=True)
    for name, text in texts.items():
        path = root / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [f"{named.path}:{named.line}" for named in find_game_names(root, PACKAGES)]


def test_names_in_code_scripts_templates_and_styles_are_reported(tmp_path: Path) -> None:
    assert lines_found(
        tmp_path,
        arena__pages__home_DOT_py='first = 1\nFEATURED = ("lotus",)\n',
        static__js__match_DOT_js="import './lotus/view.js';\n",
        static__css__site_DOT_css=".night-moves {}\n",
        templates__home_DOT_html="<p>\n{{ lotus }}</p>\n",
        bots__cli__new_DOT_py="NightMoves()\n",
        arena__pages__notes_DOT_txt="lotus\n",
    ) == [
        "arena/pages/home.py:2",
        "arena/pages/notes.txt:1",
        "bots/cli/new.py:1",
        "static/css/site.css:1",
        "static/js/match.js:1",
        "templates/home.html:2",
    ]


def test_game_packages_may_contain_only_their_own_name(tmp_path: Path) -> None:
    assert lines_found(
        tmp_path,
        arena__games__lotus__rules_DOT_py="lotus\n",
        bots__lotus__starter_DOT_py="lotus\n",
        arena__games__lotus__static__lotus__view_DOT_js="lotus\nnightMoves\n",
        arena__games__lotuslike_DOT_py="lotus\n",
    ) == ["arena/games/lotus/static/lotus/view.js:2", "arena/games/lotuslike.py:1"]


def test_registry_and_migrations_may_contain_names(tmp_path: Path) -> None:
    assert (
        lines_found(
            tmp_path,
            arena__games__registry_DOT_py="lotus\n",
            arena__matches__migrations__0001_initial_DOT_py="lotus\n",
        )
        == []
    )


def test_names_in_emails_and_file_names_are_reported(tmp_path: Path) -> None:
    assert lines_found(
        tmp_path,
        templates__accounts__welcome_DOT_txt="Play lotus.\n",
        static__css__lotus_DOT_css=".board {}\n",
        static__js__board_DOT_mjs="lotus();\n",
        arena__play__nightmoves_DOT_py="pass\n",
    ) == [
        "arena/play/nightmoves.py:0",
        "static/css/lotus.css:0",
        "static/js/board.mjs:1",
        "templates/accounts/welcome.txt:1",
    ]


def test_names_in_root_and_other_files_are_reported(tmp_path: Path) -> None:
    assert lines_found(
        tmp_path,
        Makefile="lotus:\n",
        package_DOT_json='{"lotus": 1}\n',
        docker__jail_DOT_json='["night-moves"]\n',
        _DOT_ci__run="make lotus\n",
        templates__dataset__readme_DOT_md="Records of lotus\n",
        arena__matches__presets_DOT_toml="night_moves = 1\n",
        tools__lotus="binary",
    ) == [
        ".ci/run:1",
        "Makefile:1",
        "arena/matches/presets.toml:1",
        "docker/jail.json:1",
        "package.json:1",
        "templates/dataset/readme.md:1",
        "tools/lotus:0",
    ]


def test_documents_tests_and_translations_may_contain_names(tmp_path: Path) -> None:
    texts = {
        "README_DOT_md": "lotus",
        "docs__lotus_DOT_md": "lotus",
        "tests__lotus_DOT_py": "lotus",
        "locale__a_DOT_po": "lotus",
    }
    assert lines_found(tmp_path, **texts) == []


def test_new_files_are_searched_and_ignored_ones_are_not(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    for name in (".gitignore", "ignored.py", "new.py"):
        (tmp_path / name).write_text("ignored.py\n")
    assert repository_files(tmp_path) == [".gitignore", "new.py"]


def test_titles_outside_a_games_packages_are_reported(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "arena/games/lotus").mkdir(parents=True)
    for name in ("arena/home.py", "arena/games/lotus/site.py"):
        (tmp_path / name).write_text("莲花\n")
    assert [named.path for named in find_game_names(tmp_path, PACKAGES, {"lotus": ["莲花"]})] == ["arena/home.py"]
