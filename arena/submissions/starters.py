"""The template from which a first bot is written, one a game."""

from __future__ import annotations

from arena.games.bot_packages import bots_folder
from arena.games.registry import GAMES


def starter(game: str) -> str:
    """The source that the editor begins with; empty where the game has none."""
    path = bots_folder(game) / "starter.py"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def script_example(game: str, name: str) -> str:
    """The source of a small bot that was written for another site."""
    return (bots_folder(game) / "scripts" / f"{name}.py").read_text(encoding="utf-8")


def starters() -> dict[str, str]:
    """Every game's, for the page on which the game is chosen."""
    return {game: starter(game) for game in GAMES}
