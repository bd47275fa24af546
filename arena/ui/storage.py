"""Static files under names that hold their hash, so that browsers keep them for ever."""

from __future__ import annotations

from typing import Any

from servestatic.storage import CompressedManifestStaticFilesStorage

CHUNKS = "chunks/"


class BundleManifestStorage(CompressedManifestStaticFilesStorage):
    """Leaves the names of chunks alone: esbuild put their hash into them, and bundles import them by these names."""

    def hashed_name(self, name: str, *args: Any, **kwargs: Any) -> str:
        hashed: str = name if name.startswith(CHUNKS) else super().hashed_name(name, *args, **kwargs)
        return hashed
