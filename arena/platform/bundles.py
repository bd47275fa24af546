"""What the bundles of scripts and styles hold, as esbuild.config.js notes it in ``bundle.json`` of the build folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from django.conf import settings


@dataclass(frozen=True, slots=True)
class Bundle:
    """``imports``: by module, the files that are loaded before it runs; ``styles``: the games' sheets in the site's."""

    imports: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    styles: frozenset[str] = frozenset()


def current() -> Bundle:
    """The bundle on the disk; an empty one where nothing was bundled yet."""
    path = settings.BUILD_DIR / "static" / "bundle.json"
    try:
        return _read(path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        return Bundle()


@lru_cache(maxsize=1)
def _read(path: Path, _changed: int) -> Bundle:
    noted = json.loads(path.read_text())
    return Bundle({name: tuple(files) for name, files in noted["imports"].items()}, frozenset(noted["styles"]))
