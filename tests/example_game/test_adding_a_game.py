"""The example game consists of exactly the files that docs/architecture.md lists under "Adding a game"."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GAME = Path(__file__).parent / "lanterns"
MAX_LINES = 15


def read_section() -> str:
    return (ROOT / "docs" / "architecture.md").read_text().partition("\n## Adding a game\n")[2].partition("\n## ")[0]


def listed_patterns() -> list[str]:
    """Return the paths that the guide lists, converted to glob patterns for the example game."""
    listed = re.findall(r"`((?:arena/games|bots)/<name>/[^`]+)`", read_section())
    named = (path.replace("arena/games/<name>", "arena").replace("bots/<name>", "bots") for path in listed)
    return [pattern for path in named for pattern in expand_braces(path.replace("<name>", GAME.name))]


def expand_braces(path: str) -> list[str]:
    """Expand ``{a,b}.html`` to ``a.html`` and ``b.html``."""
    parts = [part.split(",") for part in re.split(r"[{}]", path)]
    return ["".join(chosen) for chosen in product(*parts)]


def test_documented_steps_are_few_and_short() -> None:
    lines = [line for line in read_section().splitlines() if line]
    assert 5 < len(lines) <= MAX_LINES
    assert max(map(len, lines)) <= 120


def test_example_game_has_every_listed_file() -> None:
    assert len(listed_patterns()) > 10
    assert [pattern for pattern in listed_patterns() if not any(GAME.glob(pattern))] == []


def test_example_game_has_no_unlisted_file() -> None:
    explained = {path for pattern in listed_patterns() for path in GAME.glob(pattern)}
    files = {path for path in GAME.rglob("*") if path.is_file() and path.suffix not in {".pyc", ".mo"}}
    assert sorted(path for path in files - explained if path.name != "__init__.py") == []
