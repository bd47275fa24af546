"""Find names of games outside their packages: ``python -m tests.game_names [FOLDER]``, a part of ``make check``.

A game may be named only in its packages, the list of games, tests, documentation, translations and migrations. No
other file in the repository, including those in its root folder, may contain a game's name in its text or in its own
name. A game's names are its name in the registry, its title in each language of the site, and
``OTHER_NAMES``. All spellings count: suit_pairs is also suit-pairs, suitPairs and "suit pairs".
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import django
from django.conf import settings
from django.utils import translation

from arena.games.registry import PACKAGES

ROOT: Final = Path(__file__).resolve().parents[1]
LIST: Final = "arena/games/registry.py"
ALLOWED_FOLDERS: Final = ("tests/", "docs/", "locale/")
# The documentation in the root folder.
ALLOWED_FILES: Final = frozenset({LIST, "README.md", "CHANGELOG.md", "CONTRIBUTING.md"})

# Names that a game has elsewhere.
OTHER_NAMES: Final[Mapping[str, tuple[str, ...]]] = {"reversi": ("Othello",)}


@dataclass(frozen=True, slots=True)
class NamedGame:
    """A line that names a game; ``path`` is relative to the root, and line 0 means the path itself."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


def spellings(*names: str) -> re.Pattern[str]:
    """Return a pattern that matches these names in any case, with their words separated or run together.

    It does not match the start of a longer word, such as "reversible". A numeric name matches only as a whole number,
    not within a longer one.
    """
    return re.compile("|".join(map(_spellings, names)))


def _spellings(name: str) -> str:
    if name.isdigit():
        return rf"\b{name}\b"
    return rf"(?i:{'[ _-]?'.join(map(re.escape, re.split('[ _-]', name)))})s?(?![a-z])"


def titles() -> dict[str, set[str]]:
    """Return each game's titles in the languages of the site, keyed by game."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
    django.setup()
    from arena.games.sites import GAME_NAMES

    found: dict[str, set[str]] = {game: set() for game in GAME_NAMES}
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            for game, title in GAME_NAMES.items():
                found[game].add(str(title))
    return found


def folders_of(packages: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """Return the folders of each game, derived from the dotted names of its packages."""
    return {game: tuple(f"{name.replace('.', '/')}/" for name in names) for game, names in packages.items()}


def find_game_names(
    root: Path, packages: Mapping[str, Iterable[str]], names: Mapping[str, Iterable[str]] | None = None
) -> Iterator[NamedGame]:
    """Yield each line in the files under ``root`` that names a game outside that game's packages, in order of path.

    ``names``: the names of games besides those in the registry.
    """
    own = folders_of(packages)
    patterns = {game: spellings(game, *(names or {}).get(game, ())) for game in packages}
    for name in repository_files(root):
        if not must_not_name_games(name):
            continue
        foreign = [pattern for game, pattern in patterns.items() if not name.startswith(own[game])]
        for number, line in enumerate([name, *lines_of(root / name)]):
            if any(pattern.search(line) for pattern in foreign):
                yield NamedGame(name, number, line.strip()[:120])


def repository_files(root: Path) -> list[str]:
    """Return the files in the git repository ``root`` that git does not ignore, whether committed or new."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    return sorted(name for name in set(found) if name and (root / name).is_file())


def must_not_name_games(name: str) -> bool:
    """Return whether a file with this name must not name any game."""
    return not name.startswith(ALLOWED_FOLDERS) and name not in ALLOWED_FILES and "/migrations/" not in name


def lines_of(path: Path) -> list[str]:
    """Return the lines of a text file; [] for a binary file."""
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return []


def main(root: Path = ROOT) -> int:
    packages = {game: (one.package, one.bots) for game, one in PACKAGES.items()}
    names = {game: (*sorted(found), *OTHER_NAMES.get(game, ())) for game, found in titles().items()}
    wrong = list(find_game_names(root, packages, names))
    for named in wrong:
        print(named)
    if wrong:
        print("Only a game's own packages may name it: ask arena.games.registry and arena.games.sites instead.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
