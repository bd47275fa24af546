"""Where ``--record`` writes.

One match goes into the file itself; several into files beside it, ``name-1.json``, ``name-2.json``; an existing folder
is filled with ``match-1.json`` and so on. The number is that of the match as it is printed, however many there are.
"""

from __future__ import annotations

import json
from pathlib import Path

from arena.core.referee.record import Record
from arena.games.base import Json
from bots.cli.errors import CommandError


class RecordFiles:
    """Found fault with before the first match, not after the last. Raises CommandError."""

    def __init__(self, target: Path, matches: int) -> None:
        self._target, self._matches = target, matches
        if not target.is_dir() and not target.parent.is_dir():
            raise CommandError(f"There is no folder {target.parent} to write the record into.")

    def write(self, record: Record, number: int) -> Path:
        """Write the match with this number; an older file gives way."""
        path = self._path(number)
        save(record.to_json(), path)
        return path

    def _path(self, number: int) -> Path:
        if self._target.is_dir():
            return self._target / f"match-{number}.json"
        if self._matches == 1:
            return self._target
        return self._target.with_name(f"{self._target.stem}-{number}{self._target.suffix}")


def save(content: dict[str, Json], path: Path) -> None:
    """Write JSON; raises CommandError."""
    try:
        path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
