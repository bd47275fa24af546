"""Find the user's own bots, and prepare uploads."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from arena.core.sandbox.uploads.package import PackageError, read_package
from bots.cli.errors import CommandError, NoMainError, UploadError
from bots.cli.locate import check_suffix
from bots.cli.remote.client import Client, UploadFile
from bots.cli.remote.responses import Account, Bot, VersionSummary

_MAX_BOTS = 1000
_EPOCH = (1980, 1, 1, 0, 0, 0)


def own_bots(client: Client, game: str = "") -> list[Bot]:
    """Return the user's own bots, newest first."""
    me = client.get("/me", Account)
    narrowed = {"game": game} if game else {}
    return list(client.iterate_items("/bots", Bot, _MAX_BOTS, owner=me.username, retired="true", **narrowed))


def find_bot(bots: list[Bot], wanted: str) -> Bot | None:
    """Return the bot with this name or id; None if no bot has it. Raises CommandError if the name is ambiguous."""
    named = [bot for bot in bots if bot.name.casefold() == wanted.casefold()]
    if len(named) > 1:
        raise CommandError(
            f"You have bots named {wanted} in {' and '.join(bot.game for bot in named)}. Add --game GAME.",
            code="ambiguous_bot",
        )
    return named[0] if named else next((bot for bot in bots if str(bot.id) == wanted), None)


def own_bot(client: Client, wanted: str, game: str = "") -> Bot:
    """Return the user's bot with this name or id. Raises CommandError if there is no such bot."""
    bots = own_bots(client, game)
    found = find_bot(bots, wanted)
    if found is None:
        names = ", ".join(bot.name for bot in bots) or "none yet"
        raise CommandError(f"You have no bot named {wanted}. Your bots: {names}.", code="no_bot")
    return found


def newest_version(client: Client, bot: Bot) -> VersionSummary:
    """Return the newest version of a bot. Raises CommandError if the bot has no version."""
    found = next(client.iterate_items(f"/bots/{bot.id}/versions", VersionSummary, 1), None)
    if found is None:
        raise CommandError(
            f"{bot.name} has no version yet. Submit one first: python -m bots submit FILE", code="no_version"
        )
    return found


def read_upload(path: Path) -> UploadFile:
    """Read a .py or .zip file, or zip a folder with main.py, and validate it before the upload. Raises CommandError."""
    try:
        if path.is_dir():
            file = UploadFile(f"{path.resolve().name}.zip", _zip_folder(path))
        else:
            data = path.read_bytes()
            check_suffix(path)
            file = UploadFile(path.name, data)
        read_package(file.data, file.name)
    except PackageError as error:
        raise UploadError(error) from None
    except OSError as error:
        raise CommandError(
            f"Cannot read {path}: {error.strerror}. Choose another file.", code="file_unreadable"
        ) from None
    return file


def default_name(path: Path) -> str:
    """Derive a bot's name from its file name."""
    resolved = path.resolve()
    return resolved.parent.name if resolved.name == "main.py" else resolved.stem


def _zip_folder(folder: Path) -> bytes:
    if not (folder / "main.py").is_file():
        raise NoMainError(folder)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            hidden = any(part.startswith(".") or part == "__pycache__" for part in name.parts)
            if path.is_file() and not path.is_symlink() and not hidden:
                archive.writestr(zipfile.ZipInfo(name.as_posix(), _EPOCH), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
