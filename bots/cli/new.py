"""``python -m bots new``: writes a bot to start from, the same that the site's editor offers."""

from __future__ import annotations

from pathlib import Path

from bots.cli.errors import CommandError

STARTERS = Path(__file__).resolve().parent.parent / "starters"


def new(game: str, file: Path | None) -> Path:
    """Write the starter; never over a file that exists. Raises CommandError."""
    target = file or Path(f"{game}_bot.py")
    text = (STARTERS / f"{game}.py").read_text(encoding="utf-8")
    try:
        with target.open("x", encoding="utf-8") as opened:
            opened.write(text)
    except FileExistsError:
        raise CommandError(f"{target} exists already; name another file.") from None
    except OSError as error:
        raise CommandError(f"{target} cannot be written: {error.strerror}.") from None
    return target
