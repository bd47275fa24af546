"""The scripts of pages import files that there are, and folders import downwards only: docs/parts.md."""

import re
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "static" / "js"
FILES = sorted(SCRIPTS.rglob("*.js"))
SHARED = ("site", "live", "charts", "games", "matches", "tournaments")  # each imports those before it
# Of code and of comments that name a type: both are followed when static files are collected.
_IMPORT = re.compile(r'(?:from |import |import\()"(\.[^"]+)"')


def level(folder: str) -> int:
    return SHARED.index(folder) if folder in SHARED else len(SHARED)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(SCRIPTS).as_posix())
def test_imports_lead_downwards(path: Path) -> None:
    folder = path.relative_to(SCRIPTS).parts[0]
    found = [(path.parent / name).resolve() for name in _IMPORT.findall(path.read_text())]
    scripts = [target for target in found if "vendor" not in target.parts]
    assert [target for target in scripts if not target.is_file()] == []
    others = {target.relative_to(SCRIPTS).parts[0] for target in scripts} - {folder}
    assert [other for other in others if level(other) >= level(folder)] == []
