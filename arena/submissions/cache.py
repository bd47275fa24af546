"""A local cache of packages from a remote store, so that each bot is downloaded once rather than before each match.

Invariant: the cache never holds the only copy. Its size is limited; the least recently used packages are removed first.
"""

from __future__ import annotations

from pathlib import Path

from arena.submissions.blobs import BlobMissingError, FileBlobStore


class PackageCache:
    """Cached packages in a folder that several processes may share."""

    def __init__(self, root: Path, *, max_bytes: int) -> None:
        self._root, self._most = root, max_bytes
        self._files = FileBlobStore(root)

    def get(self, name: str) -> bytes | None:
        """Return the cached package, if there is one, and mark it as used."""
        try:
            data = self._files.get(name)
            self._files.path(name).touch()
        except (BlobMissingError, OSError):
            return None
        return data

    def put(self, name: str, data: bytes) -> None:
        """Store a copy if possible: a full disk is not an error."""
        try:
            self._files.put(name, data)
            self._make_room()
        except OSError:
            return

    def drop(self, name: str) -> None:
        self._files.path(name).unlink(missing_ok=True)

    def _make_room(self) -> None:
        found = [(path.stat(), path) for path in self._root.rglob("*") if path.is_file()]
        excess = sum(stat.st_size for stat, _ in found) - self._most
        for stat, path in sorted(found, key=lambda each: each[0].st_mtime):
            if excess <= 0:
                return
            path.unlink(missing_ok=True)
            excess -= stat.st_size
