from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.core.sandbox.uploads.module_package import read_module
from arena.core.sandbox.uploads.package import Package

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder for bots, with a package that they share."""
    place = tmp_path / "reversi"
    (place / "engine").mkdir(parents=True)
    (place / "__init__.py").write_text('"""Bots."""\n')
    (place / "engine" / "__init__.py").write_text("")
    (place / "engine" / "rules.py").write_text("def first(moves): return moves[0]\n")
    (place / "engine" / "search.py").write_text("from .rules import first\n")
    (place / "engine" / "unused.py").write_text("")
    return place


def write_package(folder: Path, source: str) -> Package:
    path = folder / "bot.py"
    path.write_text(source)
    return read_module(path)


def paths(package: Package) -> list[str]:
    return [file.path for file in package.files]


def test_standalone_module_is_packed_as_a_single_file(folder: Path) -> None:
    package = write_package(folder, "import random\nfrom math import sqrt\n")
    assert paths(package) == ["main.py"]
    assert package.files[0].data == b"import random\nfrom math import sqrt\n"


@pytest.mark.parametrize("line", ["from .engine.search import first", "from .engine import search"])
def test_module_is_packed_with_its_imports_only(folder: Path, line: str) -> None:
    package = write_package(folder, f'"""Plays first. Always."""\n{line}\nclass AIPlayer: pass\n')
    assert paths(package) == [
        "main.py",
        "reversi/__init__.py",
        "reversi/bot.py",
        "reversi/engine/__init__.py",
        "reversi/engine/rules.py",
        "reversi/engine/search.py",
    ]
    main = package.files[0].data.decode()
    assert main.startswith('"""Plays first. Always."""\n')
    assert "from reversi.bot import AIPlayer\n" in main


def test_module_is_packed_with_data_files_of_the_same_name(folder: Path) -> None:
    (folder / "engine" / "rules.bin").write_bytes(b"\0weights")
    (folder / "engine" / "other.bin").write_bytes(b"")
    package = write_package(folder, "from .engine.search import first\ndef get_move(board): return first(board)\n")
    assert [path for path in paths(package) if path.endswith(".bin")] == ["reversi/engine/rules.bin"]
    assert {file.path: file.data for file in package.files}["reversi/engine/rules.bin"] == b"\0weights"


def test_modules_that_import_each_other_are_packed_once(folder: Path) -> None:
    (folder / "engine" / "rules.py").write_text("from . import search\n")
    assert len(paths(write_package(folder, "from .engine import rules\nget_move = rules.first\n"))) == 6


def test_imports_from_outside_the_folder_are_refused(folder: Path) -> None:
    with pytest.raises(ValueError, match="from outside"):
        write_package(folder, "from ..golden_point import trend\n")


def test_any_changed_file_changes_the_package(folder: Path) -> None:
    source = "from .engine.search import first as get_move\n"
    before = write_package(folder, source).sha256
    (folder / "engine" / "rules.py").write_text("def first(moves): return moves[-1]\n")
    assert write_package(folder, source).sha256 != before


IMPORT = "from .engine.search import first\n"
FORMS = {
    "AIPlayer itself": (f"{IMPORT}class AIPlayer:\n def get_move(self, board): return first(board)\n", ["AIPlayer"]),
    "AIPlayer of another name": (f"{IMPORT}class First: pass\nAIPlayer = First\n", ["AIPlayer"]),
    "a function": (f"{IMPORT}def get_move(board): return first(board)\n", ["get_move"]),
    "a function from elsewhere": ("from .engine.search import first as get_move\n", ["get_move"]),
    "an annotated name": (f"{IMPORT}get_move: object = first\n", ["get_move"]),
    "another class": (f"{IMPORT}class First:\n def get_move(self, board): return first(board)\n", ["First"]),
    "classes to choose from": (f"{IMPORT}class Node: pass\nclass First: pass\n", ["Node", "First"]),
    "both": (f"{IMPORT}def get_move(board): pass\nclass AIPlayer: pass\n", ["AIPlayer"]),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_player_is_imported(folder: Path, form: str) -> None:
    source, names = FORMS[form]
    main = write_package(folder, source).files[0].data.decode()
    assert f"from reversi.bot import {', '.join(names)}\n" in main


@pytest.mark.long
def test_harness_finds_each_packed_player(folder: Path, tmp_path: Path) -> None:
    """The harness finds the player of each packed module.

    Each player is loaded in a separate process, because the modules have the same names.
    """
    look = "import sys, main; from bots.sdk.finder import find_player; print(find_player(main, sys.argv[1]).name)"
    for number, form in enumerate(("a function", "a function from elsewhere", "an annotated name", "another class")):
        source, (name,) = FORMS[form]
        place = tmp_path / str(number)
        for file in write_package(folder, source).files:
            path = place / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data)
        paths = os.pathsep.join((str(place), str(ROOT)))
        command = [sys.executable, "-c", look, str(place)]
        found = subprocess.run(command, env={"PYTHONPATH": paths}, capture_output=True, text=True, check=True)
        assert found.stdout == f"{name}\n", form


def test_module_without_a_player_is_refused(folder: Path) -> None:
    with pytest.raises(ValueError, match="player"):
        write_package(folder, IMPORT)
