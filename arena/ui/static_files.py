"""Static files with a hash in their names, so that browsers can cache them permanently."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.storage import staticfiles_storage
from servestatic.middleware import ServeStaticMiddleware
from servestatic.storage import CompressedManifestStaticFilesStorage

from arena.platform import bundles

_log = logging.getLogger(__name__)

CHUNKS = "chunks/"  # chunks shared by bundles, which import them under names that contain a hash from esbuild


class BundleManifestStorage(CompressedManifestStaticFilesStorage):
    """A storage backend that keeps chunk names, and works with templates and bundles newer than the collected files.

    ``bundle``: the bundle list that was collected with these files.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.bundle = bundles.read_bundle(Path(self.location) / bundles.MANIFEST)

    def stored_name(self, name: str) -> str:
        """Return the name with the hash, or the name itself for a file that was not collected.

        A page that lacks one of its files is better than no page.
        """
        try:
            stored: str = super().stored_name(name)
        except ValueError:
            _log.error("%s was not collected: restart the site", name)
            return name
        return stored

    def was_collected(self, name: str) -> bool:
        return name.startswith(CHUNKS) or self.hash_key(self.clean_name(name)) in self.hashed_files

    def hashed_name(self, name: str, *args: Any, **kwargs: Any) -> str:
        hashed: str = name if name.startswith(CHUNKS) else super().hashed_name(name, *args, **kwargs)
        return hashed


class StaticFilesMiddleware(ServeStaticMiddleware):
    """Middleware that lets browsers cache chunks for as long as other files with hashed names."""

    def immutable_file_test(self, path: str, url: str) -> bool:
        return url.startswith(f"{self.static_prefix}{CHUNKS}") or bool(super().immutable_file_test(path, url))

    @staticmethod
    def get_static_url(name: str) -> str | None:
        """Return the URL of a collected file; None if there is no such file.

        The middleware also asks for names that it has guessed by removing what might be a hash, so a missing file is
        not an error.
        """
        if isinstance(staticfiles_storage, BundleManifestStorage) and not staticfiles_storage.was_collected(name):
            return None
        address: str | None = ServeStaticMiddleware.get_static_url(name)
        return address
