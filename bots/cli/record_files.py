"""Write the match records requested with ``--record``.

A single match is written to the given file. Several are written to numbered files in the same folder, such as
``name-1.json`` and ``name-2.json``. If the target is an existing folder, records are written there as ``match-1.json``
and so on. The numbers are the same as in the printed output.
"""

from __future__ import annotations

import json
from pathlib import Path

from arena.core.referee.record import Record
from arena.games.base import Json
from bots.cli.errors import CommandError


class RecordFiles:
    """The record files of one command; the target is validated before the first match. Raises CommandError."""

    def __init__(self, target: Path, matches: int) -> None:
        self._target, self._matches = target, matches
        if not target.is_dir() and not target.parent.is_dir():
            raise CommandError(
                f"The folder {target.parent} does not exist. Create it, or choose another one with --record.",
                code="no_folder",
            )

    def write(self, record: Record, number: int) -> Path:
        """Write the record of the match with this number, and return its path. An existing file is overwritten."""
        path = self._path(number)
        write_json(record.to_json(), path)
        return path

    def _path(self, number: int) -> Path:
        if self._target.is_dir():
            return self._target / f"match-{number}.json"
        if self._matches == 1:
            return self._target
        return self._target.with_name(f"{self._target.stem}-{number}{self._target.suffix}")


def write_json(content: dict[str, Json], path: Path) -> None:
    """Write the content to a file as JSON. Raises CommandError."""
    try:
        path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"Cannot write {path}: {error.strerror}. Choose another file.", code="not_written") from None
