"""The codes reported by the harness and the games' adapters are exactly those that have message templates."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

import bots.sdk
from arena.core.referee.bot_messages import HARNESS
from arena.games.registry import GAMES, PACKAGES

HARNESS_FOLDER = Path(bots.sdk.__file__).parent


def message_codes_in(folder: Path) -> set[str]:
    """Return all string constants in the code that look like a message code."""
    trees = [ast.parse(path.read_bytes()) for path in folder.rglob("*.py")]
    texts = {node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    return {text for text in texts if isinstance(text, str) and text.startswith("bot.")}


def test_harness_codes_equal_its_message_templates() -> None:
    assert message_codes_in(HARNESS_FOLDER) == set(HARNESS)


@pytest.mark.parametrize("game", GAMES)
def test_adapter_codes_equal_its_message_templates(game: str) -> None:
    folder = Path(import_module(PACKAGES[game].sdk).__file__ or "").parent
    assert message_codes_in(folder) == set(GAMES[game].bot_messages)
    assert all(code.startswith(f"bot.{game}.") for code in GAMES[game].bot_messages)
