"""Identify the version of the code that a process runs, so that operators can detect mixed versions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from django.conf import settings

from arena.games.bot_packages import package_folder, sdk_packages
from arena.games.registry import PACKAGES

_SUFFIXES = (".py", ".bin")


@cache
def code_version() -> str:
    """Return ARENA_VERSION, or a digest of the code on disk. Call this early, before the code is replaced."""
    return settings.ARENA_VERSION or digest(_folders())


def _folders() -> list[Path]:
    """Return the folders whose code determines how a match is played and stored."""
    rules = [package_folder(one.package) for one in PACKAGES.values()]
    arena, harness = settings.BASE_DIR / "arena", settings.BOT_CODE_DIR / "bots" / "sdk"
    return [arena, *(one for one in rules if not one.is_relative_to(arena)), harness, *sdk_packages().values()]


def digest(folders: Iterable[Path]) -> str:
    """Return ten hexadecimal digits that change if any code or learned weights under ``folders`` change."""
    found = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.suffix in _SUFFIXES):
            found.update(f"{path.relative_to(folder)}\0".encode())
            found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:10]
