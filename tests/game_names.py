"""Find names of games outside their two folders: ``python -m tests.game_names [FOLDER]``, a part of ``make check``.

A game is named in its packages, in the list of games, and nowhere else: not in Python, scripts, templates or styles,
and not in the names of files.
Its names are those of the registry in every spelling: suit_pairs is also suit-pairs, suitPairs and "suit pairs".
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.games.registry import PACKAGES

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDERS: Final = ("arena", "bench", "bots", "static", "templates")
ENDINGS: Final = frozenset({".py", ".js", ".mjs", ".ts", ".css", ".html", ".svg"})
TEMPLATES: Final = "templates"  # where plain texts are pages and letters, too
LIST: Final = "arena/games/registry.py"


@dataclass(frozen=True, slots=True)
class Named:
    """One line that names a game; ``path`` is below the root. Line 0 is the path itself."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


def spellings(name: str) -> re.Pattern[str]:
    """A game's name in any case, its words apart or joined; not within another word, as in "reversible"."""
    return re.compile(rf"(?i:{'[ _-]?'.join(map(re.escape, name.split('_')))})s?(?![a-z])")


def folders_of(packages: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """The folders of each game, from the dotted names of its packages."""
    return {game: tuple(f"{name.replace('.', '/')}/" for name in names) for game, names in packages.items()}


def find(root: Path, packages: Mapping[str, Iterable[str]]) -> Iterator[Named]:
    """Every line below ``root`` that names a game outside its packages, by path."""
    own = folders_of(packages)
    patterns = {game: spellings(game) for game in packages}
    for path in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*")):
        name = path.relative_to(root).as_posix()
        if not _is_read(path) or name == LIST or not path.is_file():
            continue
        foreign = [pattern for game, pattern in patterns.items() if not name.startswith(own[game])]
        for number, line in enumerate([name, *path.read_text().splitlines()]):
            if any(pattern.search(line) for pattern in foreign):
                yield Named(name, number, line.strip()[:120])


def _is_read(path: Path) -> bool:
    """Whether the file is one that may name no game."""
    if "migrations" in path.parts:
        return False
    return path.suffix in ENDINGS or (path.suffix == ".txt" and TEMPLATES in path.parts)


def main(root: Path = ROOT) -> int:
    wrong = list(find(root, {game: (one.package, one.bots) for game, one in PACKAGES.items()}))
    for named in wrong:
        print(named)
    if wrong:
        print("Only a game's own packages may name it: ask arena.games.registry and arena.games.sites instead.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
