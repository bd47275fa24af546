"""Every folder, file and module mentioned in the documents and help texts exists."""

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
TEMPLATES = sorted([*(ROOT / "templates").rglob("*.html"), *(ROOT / "arena").rglob("*.html")])
CODE = sorted(path for folder in ("arena", "bots", "bench") for path in (ROOT / folder).rglob("*.py"))
SCRIPTS = sorted([*(ROOT / "static" / "js").rglob("*.js"), *(ROOT / "arena").rglob("static/**/*.js")])
COMMANDS = [*DOCUMENTS, *TEMPLATES, *CODE, ROOT / "Makefile", ROOT / "docker-compose.yml"]

_TOP = "arena|bench|bots|docker|docs|locale|static|templates|tests"
_PATH = re.compile(rf"`((?:{_TOP})(?:/[\w.*-]+)*)/?`")
_TEMPLATE = re.compile(r"(?<![\w/.])((?:templates|arena)/[\w/]+\.html)")
_COMMAND = re.compile(r"python -m ((?:arena|bench|bots)(?:\.[a-z_]+)*)")
_FOLDER_OF_TABLE = re.compile(r"\| In `([\w/]+)` \|")


def module_is_runnable(name: str) -> bool:
    found = find_spec(name)
    return found is not None and (found.submodule_search_locations is None or find_spec(f"{name}.__main__") is not None)


def rows_of_folders(text: str) -> Iterator[str]:
    """Yield the paths in the first column of each table whose heading row names a folder."""
    folder = None
    for line in text.splitlines():
        if heading := _FOLDER_OF_TABLE.match(line):
            folder = heading[1]
        elif not line.startswith("|"):
            folder = None
        elif folder:
            yield from (f"{folder}/{name}" for name in re.findall(r"`([^`]+)`", line.split("|")[1]))


def exists(path: str) -> bool:
    return any(ROOT.glob(path)) or (ROOT / f"{path}.py").is_file()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_paths_in_documents_exist(document: Path) -> None:
    text = document.read_text()
    named = {*_PATH.findall(text), *rows_of_folders(text)}
    assert sorted(path for path in named if not exists(path)) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_in_documents_lead_to_files(document: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text())
    assert [link for link in links if not (document.parent / link).exists()] == []


def test_templates_named_in_comments_exist() -> None:
    named = {(path.name, name) for path in SCRIPTS for name in _TEMPLATE.findall(path.read_text())}
    assert named
    assert sorted(pair for pair in named if not (ROOT / pair[1]).is_file()) == []


def test_modules_named_in_commands_can_run() -> None:
    commands = {name for path in COMMANDS for name in _COMMAND.findall(path.read_text())}
    assert {"arena.platform.supervisor", "arena.core.sandbox", "bots"} <= commands
    assert sorted(name for name in commands if not module_is_runnable(name)) == []
