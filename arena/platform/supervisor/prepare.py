"""Prepare the site: migrate the database, collect static files, compile messages, seed content."""

from __future__ import annotations

import fcntl
import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from arena.games.bot_packages import house_digest, house_folders, package_folder
from arena.games.registry import PACKAGES
from arena.platform.supervisor.options import Options, StartupError

# Folders in the checkout that collectstatic reads, besides the bundles and external games' static files.
STATIC_SOURCES = ("static", "arena/**/static")


# Runs a command to completion with the site's environment, and returns its exit code.
Run = Callable[..., int]


class Preparation:
    """The steps that run before startup; a step is skipped if nothing has changed since the last start."""

    def __init__(
        self,
        options: Options,
        *,
        say: Callable[[str], None],
        run: Run,
        games: Sequence[Path] | None = None,
        house: Sequence[Path] | None = None,
    ) -> None:
        """Create the steps for an installation with these options; nothing runs yet.

        ``say``: reports progress; ``run``: runs a command.

        ``games``: the game folders, which may contain their own static files and translations. ``house``: the folders
        that contain the games' house bots.
        """
        self._options, self._say, self._run = options, say, run
        self._games = [package_folder(one.package) for one in PACKAGES.values()] if games is None else games
        self._house = list(house_folders().values()) if house is None else house

    def prepare_checkout(self) -> None:
        """Prepare the database, messages and static files. Raises StartupError if a step fails."""
        self._say("preparing the database")
        self._run_step("manage.py", "migrate", "--noinput", "--verbosity=0")
        with self._lock_checkout():
            self._compile_messages()
            self._collect_static()

    def seed(self) -> None:
        """Add new and changed house bots and, on the first start, demonstration tournaments. Requires the broker.

        A failure on a later start is tolerated: the site keeps its existing house bots.
        """
        marker = self._options.var / seeded_marker(self._options.database_url)
        command = ("manage.py", "seed", "--marker", str(marker))
        if not marker.exists():
            self._say("first start: adding house bots and demonstration tournaments")
            self._run_step(*command)
        elif marker.read_text() != house_digest(self._house):
            self._say("house bots have changed: adding the new versions")
            if self._run(sys.executable, *command):
                self._say(
                    "Adding house bots failed (see above). The previous ones are kept; the next start tries again."
                )

    def check_jail(self) -> None:
        """Explain what to do if this machine cannot run bots; the site itself works, but matches wait."""
        if self._run(sys.executable, "-m", "arena.core.sandbox", "status", "--quiet"):
            self._say("The list above says what is missing. Uploads and matches wait until this machine can run bots.")

    @contextmanager
    def _lock_checkout(self) -> Iterator[None]:
        """Serialize concurrent starts from one checkout; later ones find nothing left to do."""
        path = self._options.build / "prepare.lock"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _compile_messages(self) -> None:
        folders = [self._options.root, *self._games]
        for catalog in sorted(path for folder in folders for path in folder.glob("locale/*/LC_MESSAGES/*.po")):
            compiled = catalog.with_suffix(".mo")
            if compiled.exists() and compiled.stat().st_mtime >= catalog.stat().st_mtime:
                continue
            locale = catalog.parts[-3]
            self._say(f"compiling messages: {locale} {catalog.stem}")
            files = ("--input-file", str(catalog), "--output-file", str(compiled))
            self._run_step("-m", "babel.messages.frontend", "compile", "--locale", locale, *files)

    def _collect_static(self) -> None:
        root, games = self._options.root, [folder / "static" for folder in self._games]
        own = [folder for pattern in STATIC_SOURCES for folder in sorted(root.glob(pattern))]
        current = fingerprint(dict.fromkeys([*own, self._options.build / "static", *games]))
        stamp = self._options.build / "collected.stamp"
        if stamp.exists() and stamp.read_text() == current:
            return
        self._say("collecting static files")
        # Without --clear: another instance from this checkout may be serving the files collected last.
        self._run_step("manage.py", "collectstatic", "--noinput", "--verbosity=0", "--ignore", "src")
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.write_text(current)

    def _run_step(self, *arguments: str) -> None:
        if self._run(sys.executable, *arguments):
            raise StartupError(
                f"This step failed (see its messages above): python {' '.join(arguments)}\n"
                "Fix the cause, then run make up again."
            )


def seeded_marker(database_url: str) -> str:
    """Return the name of the file that stores the digest of a database's house bots.

    There is one per database, because a site may switch to another database.
    """
    return f"seeded-{hashlib.sha256(database_url.encode()).hexdigest()[:16]}" if database_url else "seeded"


def fingerprint(folders: Iterable[Path]) -> str:
    """Return a digest of the names, sizes and modification times of all files under ``folders``."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                found = path.stat()
                digest.update(f"{path}\0{found.st_size}\0{found.st_mtime_ns}\n".encode())
    return digest.hexdigest()
