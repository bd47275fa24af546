"""Content-addressed blob storage for uploads."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Protocol

from arena.platform.jobs.attempt import JobPostponed


class BlobMissingError(Exception):
    """Raised if there is no readable blob with this name; the message is for the operator."""


class StoreUnavailable(JobPostponed):
    """Raised if the store is unreachable or denies access; nothing is lost. The message is for the operator."""


class BlobStore(Protocol):
    """A store of byte strings by name. Stored content is complete and never changes."""

    def put(self, name: str, data: bytes) -> None:
        """Store the bytes, unless a blob with this name already exists. Raises StoreUnavailable."""

    def get(self, name: str) -> bytes:
        """Return the bytes of a blob. Raises BlobMissingError, StoreUnavailable."""


class FileBlobStore:
    """A store of files in a folder, distributed over 256 subfolders by the first digits of their names."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def put(self, name: str, data: bytes) -> None:
        path = self.path(name)
        if path.exists():
            return
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # mkstemp creates the file with mode 0600; a rename within a folder is atomic.
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def get(self, name: str) -> bytes:
        try:
            return self.path(name).read_bytes()
        except OSError as error:
            raise BlobMissingError(str(error)) from error

    def path(self, name: str) -> Path:
        return self._root / name[:2] / name
