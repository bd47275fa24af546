"""Rebuild outdated bundles of scripts and styles, so that tests use the sources in the checkout."""

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
    """Bundle scripts and styles unless they are up to date; only one of several processes bundles them."""
    lock = ROOT / "build" / "prepare.lock"  # also held by a starting site while it collects these files
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
