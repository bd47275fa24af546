"""Page scripts import existing files, and shared folders import only from lower levels (docs/parts.md)."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT / "static" / "js"
COMMON = SHARED / "common.js"  # on every page; modules that load later may name it, so that they share its code
FILES = sorted([*SHARED.rglob("*.js"), *(ROOT / "arena").rglob("static/**/*.js")])
LEVELS = ("site", "live", "charts", "matches", "tournaments", "submissions")  # each imports those before it
# Matches imports in code and in comments that name a type.
_IMPORT = re.compile(r'(?:from |import |import\()"([.#][^"]+)"')


def target(importer: Path, name: str) -> Path:
    return (SHARED / name[1:] if name.startswith("#") else importer.parent / name).resolve()


def imported_files(path: Path) -> list[Path]:
    return [target(path, name) for name in _IMPORT.findall(path.read_text())]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_resolve_to_files(path: Path) -> None:
    assert [one for one in imported_files(path) if not one.is_file()] == []


def folder(path: Path) -> str:
    """Return the folder of a shared script within static/js, or "" for scripts directly in it."""
    return path.relative_to(SHARED).parent.as_posix().removeprefix(".")


def level(folder: str) -> int:
    return LEVELS.index(folder) if folder in LEVELS else len(LEVELS)


@pytest.mark.parametrize(
    "path", [path for path in FILES if SHARED in path.parents and folder(path)], ids=lambda path: path.stem
)
def test_shared_scripts_import_only_lower_folders_and_no_game(path: Path) -> None:
    found = [one for one in imported_files(path) if one != COMMON]
    assert [one for one in found if SHARED not in one.parents] == []
    others = {folder(one) for one in found} - {folder(path)}
    assert [other for other in others if level(other) >= level(folder(path))] == []


@pytest.mark.parametrize(
    "path", [path for path in FILES if "games" in path.parts], ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_game_imports_no_other_game(path: Path) -> None:
    games = ROOT / "arena" / "games"
    own = games / path.relative_to(games).parts[0]
    assert [one for one in imported_files(path) if own not in one.parents and SHARED not in one.parents] == []
