"""The bundles of scripts and styles, made again where a source is newer, so that tests see what is in the checkout."""

from __future__ import annotations

import fcntl
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MADE = ROOT / "build" / "static" / "bundle.json"
SOURCES = ("static/**/*", "templates/**/*.html", "arena/**/*.html", "arena/**/static/**/*", "esbuild.config.js")


@cache
def bundle_once() -> None:
    """Bundle what pages load unless it is up to date; of several processes one does."""
    lock = ROOT / "build" / "prepare.lock"  # which a start of the site holds while it collects these files
    lock.parent.mkdir(exist_ok=True)
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not _is_current():
            subprocess.run(["npm", "run", "--silent", "bundle"], cwd=ROOT, check=True, timeout=60)


def _is_current() -> bool:
    if not MADE.exists():
        return False
    made = MADE.stat().st_mtime
    return all(path.stat().st_mtime <= made for pattern in SOURCES for path in ROOT.glob(pattern) if path.is_file())
