"""Create an uploadable bot from trained weights: a .zip with ``main.py``, ``encoding.py`` and ``weights.npz``."""

from __future__ import annotations

import zipfile
from importlib import import_module
from pathlib import Path
from typing import Final

from arena.games.registry import PACKAGES

_MAIN: Final = Path(__file__).with_name("trained_bot.py")


def pack_bot(game: str, weights: str | Path, target: str | Path) -> None:
    """Write a bot's archive to ``target``; ``weights``: an .npz file with the arrays that ``trained_bot.py`` reads."""
    encoding = Path(str(import_module(f"{PACKAGES[game].bots}.encoding").__file__))
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(_MAIN, "main.py")
        archive.write(encoding, "encoding.py")
        archive.write(weights, "weights.npz")
