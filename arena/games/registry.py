"""The list of games (one line per game, like INSTALLED_APPS), and everything derived from it.

A game is two packages. The first holds ``rules.py`` (with ``GAME``), ``site.py`` (with ``SITE``), ``apps.py``,
templates and static files, and the game's own Django apps. The second, in ``bots``, contains the code that runs with a
bot or in a terminal. All other code queries this module or ``arena.games.sites`` and mentions no game.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from arena.core.messages import Templates
from arena.core.referee.bot_messages import HARNESS
from arena.core.referee.failure_messages import FAILURE_MESSAGES
from arena.core.referee.messages import TEMPLATES
from arena.core.sandbox.messages import SANDBOX_MESSAGES
from arena.core.sandbox.uploads.messages import UPLOAD_MESSAGES
from arena.games.base import SETTINGS_MESSAGES, Game


@dataclass(frozen=True, slots=True)
class InstalledGame:
    """The packages of a game: its rules and pages, and its bots."""

    package: str
    bots: str

    @property
    def sdk(self) -> str:
        """Return the name of the game's package that is mounted into the jail; see ``bots/sdk/game.py``."""
        return f"{self.bots}.sdk"


INSTALLED: Final = (
    InstalledGame("arena.games.reversi", "bots.reversi"),
    InstalledGame("arena.games.golden_point", "bots.golden_point"),
    InstalledGame("arena.games.suit_pairs", "bots.suit_pairs"),
    InstalledGame("arena.games.fib2584", "bots.fib2584"),
)


def installed_games() -> tuple[InstalledGame, ...]:
    """Return the games listed in this module and in ``EXTRA_GAMES``.

    ``EXTRA_GAMES`` has the form "package=bots.package,other=bots.other".
    """
    extra = (pair.partition("=") for pair in os.environ.get("EXTRA_GAMES", "").split(",") if pair.strip())
    return (*INSTALLED, *(InstalledGame(package.strip(), bots.strip()) for package, _, bots in extra))


def _load_rules(package: str) -> Game[Any, Any, Any]:
    game: Game[Any, Any, Any] = import_module(f"{package}.rules").GAME
    return game


PACKAGES: Final = {_load_rules(one.package).name: one for one in installed_games()}
GAMES: Final = {name: _load_rules(one.package) for name, one in PACKAGES.items()}


def is_rated(game: str) -> bool:
    """Return whether the game's bots can be rated: only matches with several seats compare bots."""
    return GAMES[game].max_seats > 1


def has_tables(game: str) -> bool:
    """Return whether a match can have more than two seats, so that second place is not a defeat."""
    return GAMES[game].max_seats > 2


def message_templates() -> Templates:
    """Return the templates of all messages, keyed by code.

    They concern uploads, settings and failures, or come from the referee, upload check, harness, sandbox and games.
    """
    found = {**UPLOAD_MESSAGES, **TEMPLATES, **HARNESS, **SETTINGS_MESSAGES, **FAILURE_MESSAGES, **SANDBOX_MESSAGES}
    for game in GAMES.values():
        found |= {**game.messages, **game.bot_messages}
    return found
