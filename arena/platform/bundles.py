"""Read ``bundle.json`` of the build folder, in which esbuild.config.js lists the bundles of scripts and styles."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from django.conf import settings


@dataclass(frozen=True, slots=True)
class Bundle:
    """``imports``: for each module, the files that are loaded before it runs; ``styles``: the games' style sheets."""

    imports: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    styles: frozenset[str] = frozenset()


def current() -> Bundle:
    """Return the bundle on disk; an empty one if nothing was bundled yet."""
    path = settings.BUILD_DIR / "static" / "bundle.json"
    try:
        return _read(path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        return Bundle()


@lru_cache(maxsize=1)
def _read(path: Path, _changed: int) -> Bundle:
    noted = json.loads(path.read_text())
    return Bundle({name: tuple(files) for name, files in noted["imports"].items()}, frozenset(noted["styles"]))
