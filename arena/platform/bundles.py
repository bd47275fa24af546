"""Read ``bundle.json``, in which esbuild.config.js lists the bundles of scripts and styles.

Invariant: pages refer only to files that their process serves. If static files are collected, the list is stored with
them, so a new bundle takes effect at the next restart. Otherwise, the list on disk is used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage

MANIFEST: Final = "bundle.json"


@dataclass(frozen=True, slots=True)
class Bundle:
    """The files that esbuild has bundled.

    ``imports``: for each module, the files that are loaded before it runs; ``texts``: for each module, the strings that
    it can show, as keys of the JavaScript catalogue; ``styles``: the games' style sheets.
    """

    imports: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    texts: Mapping[str, frozenset[str]] = field(default_factory=dict)
    styles: frozenset[str] = frozenset()


def current_bundle() -> Bundle:
    """Return the bundle that pages load."""
    collected: Bundle | None = getattr(staticfiles_storage, "bundle", None)
    return collected or read_bundle(settings.BUILD_DIR / "static" / MANIFEST)


def read_bundle(path: Path) -> Bundle:
    """Read the bundle from the manifest at ``path``; return an empty bundle if there is no manifest yet."""
    try:
        return _read(path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        return Bundle()


@lru_cache(maxsize=1)
def _read(path: Path, _changed: int) -> Bundle:
    noted = json.loads(path.read_text())
    return Bundle(
        {name: tuple(files) for name, files in noted["imports"].items()},
        {name: frozenset(texts) for name, texts in noted.get("texts", {}).items()},  # absent from older bundles
        frozenset(noted["styles"]),
    )
