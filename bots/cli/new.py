"""Implement ``python -m bots new``: write the starter bot that the site's editor also offers."""

from __future__ import annotations

from pathlib import Path

from arena.games.bot_packages import bots_folder
from bots.cli.errors import CommandError


def write_example(game: str, file: Path | None, script: str | None = None) -> Path:
    """Write the starter bot, or the example ``script`` for another site, to a new file; return the file's path.

    Raises CommandError.
    """
    target = file or Path(f"{game}_bot.py")
    text = _example_path(game, script).read_text(encoding="utf-8")
    try:
        with target.open("x", encoding="utf-8") as opened:
            opened.write(text)
    except FileExistsError:
        raise CommandError(f"{target} already exists. Choose another file name.", code="file_exists") from None
    except OSError as error:
        raise CommandError(
            f"Cannot write {target}: {error.strerror}. Choose another file.", code="not_written"
        ) from None
    return target


def example_scripts(game: str) -> dict[str, Path]:
    """Return the example scripts for other sites, keyed by dialect."""
    return {path.stem.replace("_", "-"): path for path in sorted((bots_folder(game) / "scripts").glob("*.py"))}


def _example_path(game: str, script: str | None) -> Path:
    if script is None:
        return bots_folder(game) / "starter.py"
    known = example_scripts(game)
    if not known:
        raise CommandError(
            f"There are no example scripts for {game}. Remove --script to write the starter bot.", code="no_scripts"
        )
    if script not in known:
        raise CommandError(
            f"There is no example script {script!r} for {game}. Choose from {', '.join(known)}.", code="no_script"
        )
    return known[script]
