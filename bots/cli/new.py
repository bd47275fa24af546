"""``python -m bots new``: writes a bot to start from, the same that the site's editor offers."""

from __future__ import annotations

from pathlib import Path

from arena.games.bot_packages import bots_folder
from bots.cli.errors import CommandError


def new(game: str, file: Path | None, script: str | None = None) -> Path:
    """Write the starter, or the one that is a ``script``; never over a file that exists. Raises CommandError."""
    target = file or Path(f"{game}_bot.py")
    text = _source(game, script).read_text(encoding="utf-8")
    try:
        with target.open("x", encoding="utf-8") as opened:
            opened.write(text)
    except FileExistsError:
        raise CommandError(f"{target} exists already; name another file.") from None
    except OSError as error:
        raise CommandError(f"{target} cannot be written: {error.strerror}.") from None
    return target


def scripts(game: str) -> dict[str, Path]:
    """Small bots written for other sites, by the names of their dialects."""
    return {path.stem.replace("_", "-"): path for path in sorted((bots_folder(game) / "scripts").glob("*.py"))}


def _source(game: str, script: str | None) -> Path:
    if script is None:
        return bots_folder(game) / "starter.py"
    known = scripts(game)
    if not known:
        raise CommandError(f"There are no scripts to start from for {game}.")
    if script not in known:
        raise CommandError(f"There is no script {script} for {game}. There are {', '.join(known)}.")
    return known[script]
