"""A copy of the sources that a wheel is built from.

Wheels are built from a copy because a build leaves behind files that the next build would pick up.
"""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def copy_sources(target: Path) -> None:
    leftovers = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in ("arena", "bots"):
        shutil.copytree(ROOT / name, target / name, ignore=leftovers)
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, target)
