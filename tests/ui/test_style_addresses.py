"""The site serves every URL by which one style sheet imports another, even without bundles."""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena.games.registry import PACKAGES

ROOT = Path(__file__).resolve().parents[2]
IMPORT = re.compile(r'^@import (?:url\()?"([^"]+)"', re.MULTILINE)


def imported_urls() -> set[str]:
    """Return the URLs below /static/ that style sheets import, resolved as a browser does."""
    sheets = [*(ROOT / "static").rglob("*.css"), *(ROOT / "arena").glob("**/static/**/*.css")]
    found = set()
    for sheet in sheets:
        own = sheet.as_posix().rpartition("/static/")[2]
        found |= {
            posixpath.normpath(posixpath.join(posixpath.dirname(own), path))
            for path in IMPORT.findall(sheet.read_text())
        }
    return found


@pytest.mark.long
def test_unbundled_site_serves_every_imported_style_sheet(tmp_path: Path) -> None:
    addresses = sorted(imported_urls())
    assert len(addresses) > 25 + len(PACKAGES)
    ended = subprocess.run(
        [sys.executable, "manage.py", "findstatic", "--first", "--verbosity", "0", *addresses],
        cwd=ROOT,
        env={**os.environ, "DEBUG": "1", "ARENA_ENV": "", "ARENA_BUILD": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert [Path(line).is_file() for line in ended.stdout.splitlines()] == [True] * len(addresses)
