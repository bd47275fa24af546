"""Static files with their hash in the name, so that browsers cache them permanently."""

from __future__ import annotations

from typing import Any

from servestatic.middleware import ServeStaticMiddleware
from servestatic.storage import CompressedManifestStaticFilesStorage

CHUNKS = "chunks/"  # what bundles share: esbuild put a hash into these names, by which bundles import them


class BundleManifestStorage(CompressedManifestStaticFilesStorage):
    """Leaves the names of chunks alone."""

    def hashed_name(self, name: str, *args: Any, **kwargs: Any) -> str:
        hashed: str = name if name.startswith(CHUNKS) else super().hashed_name(name, *args, **kwargs)
        return hashed


class StaticFilesMiddleware(ServeStaticMiddleware):
    """Lets browsers keep chunks as long as other files whose names hold a hash."""

    def immutable_file_test(self, path: str, url: str) -> bool:
        return url.startswith(f"{self.static_prefix}{CHUNKS}") or bool(super().immutable_file_test(path, url))
