"""A migrated SQLite database, created once per test run and then copied, because migrating takes seconds."""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

from django.conf import settings
from django.db.backends.sqlite3.creation import DatabaseCreation

from tests import environment

ROOT = Path(__file__).resolve().parents[1]


@cache
def migrated_template() -> Path:
    """Return the path of a migrated database; one process creates it while the others wait."""
    made = Path(environment.RUN, "migrated.sqlite3")
    with Path(environment.RUN, "migrated.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            _create_template(made)
    return made


def _create_template(path: Path) -> None:
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        variables = {"PATH": os.environ["PATH"], "ARENA_VAR": folder, "DJANGO_SETTINGS_MODULE": "arena.settings"}
        command = [sys.executable, "manage.py", "migrate", "--noinput", "--verbosity=0"]
        subprocess.run(command, cwd=ROOT, env=variables, check=True)
        whole = Path(folder, "whole.sqlite3")
        with closing(sqlite3.connect(Path(folder, "arena.sqlite3"))) as database:
            database.execute("VACUUM INTO ?", [str(whole)])  # a single file without a write-ahead log
        whole.rename(path)


def copy_migrated(folder: Path) -> None:
    """Copy the migrated database to the site whose ``ARENA_VAR`` is ``folder``.

    The copy uses write-ahead logging, as after a migration: if several connections turned it on simultaneously, SQLite
    would let one of them do so and refuse the others immediately.
    """
    path = folder / "arena.sqlite3"
    shutil.copy(migrated_template(), path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=WAL")


class CopiedCreation(DatabaseCreation):
    """The creation of Django's test database by copying a migrated one instead of running migrations."""

    def create_test_db(  # type: ignore[override]
        self, verbosity: int = 1, autoclobber: bool = False, serialize: bool = False, keepdb: bool = False
    ) -> str:
        name = self._get_test_db_name()  # type: ignore[attr-defined]
        self.connection.close()
        settings.DATABASES[self.connection.alias]["NAME"] = name
        self.connection.settings_dict["NAME"] = name
        self.connection.ensure_connection()
        with closing(sqlite3.connect(migrated_template())) as migrated:
            migrated.backup(self.connection.connection)
        return str(name)
