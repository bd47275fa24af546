"""A game's additions to the harness: each game's ``sdk`` package registers one ``GameSdk``, named ``SDK``.

Importing a game's ``sdk`` package registers the game in the harness. That package is the game's only code in the jail,
so like the harness it uses only the standard library.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bots.sdk.adapter import Adapter
from bots.sdk.failures import NoPlayer
from bots.sdk.scripts.dialect import Dialect, UnknownDialect
from bots.sdk.scripts.static_analysis import SourceFacts


@dataclass(frozen=True)
class GameSdk:
    """The definition of how the bots of one game are run.

    ``game``: the name in the referee's first request. ``file``: the ``__file__`` of the package. ``adapter``: the
    adapter for modules with ``get_move``.
    ``dialects``: dialects of scripts; ``functions``: adapters for modules with a different entry point. The keys of
    both are the names that an author writes as ``# arena: NAME``.
    ``recognize``: returns one of these names if ``main.py`` alone determines it; it is called first. ``choose``:
    returns the dialect of a script, or None for a module; the second argument says whether it may be a module. Raises
    UnknownDialect. Without ``choose``, every script uses the game's only dialect. ``shims``: the subfolder with
    modules that bots import by bare names and do not include; "" for none. ``former_names``: modules of this package,
    keyed by the former names under which bots may still import them. ``state``: ``MODULE:CLASS`` of the argument of
    ``get_move``, for code completion in editors, which read this line without importing anything. ``resignation``: the
    text with which a person resigns, for modules that play a match against their author when they are imported (see
    ``keyboard``); "" for none.
    """

    game: str
    file: str
    adapter: type[Adapter]
    dialects: Mapping[str, type[Dialect]] = field(default_factory=dict)
    functions: Mapping[str, type[Adapter]] = field(default_factory=dict)
    recognize: Callable[[bytes], str | None] = lambda main: None
    choose: Callable[[SourceFacts, bool], str | None] | None = None
    shims: str = ""
    former_names: Mapping[str, str] = field(default_factory=dict)
    state: str = ""
    resignation: str = ""

    @property
    def folder(self) -> str:
        """Return the package's own folder."""
        return os.path.dirname(os.path.abspath(self.file))  # noqa: PTH100, PTH120 - bots may poison pathlib

    @property
    def shims_folder(self) -> str:
        """Return the folder of the game's shims; "" if it has none."""
        return os.path.join(self.folder, self.shims) if self.shims else ""  # noqa: PTH118 - bots may poison pathlib

    @property
    def names(self) -> list[str]:
        """Return the names allowed in ``# arena: NAME``, in addition to ``module``."""
        return [*self.dialects, *self.functions]

    def dialect_of(self, look: SourceFacts, may_be_module: bool) -> str | None:
        """Return the dialect of a bot that reads its standard input, or None for a module. Raises NoPlayer."""
        try:
            return (self.choose or self._only_dialect)(look, may_be_module)
        except UnknownDialect:
            raise NoPlayer("bot.unclear_dialect", names=", ".join(self.names)) from None

    def _only_dialect(self, look: SourceFacts, may_be_module: bool) -> str | None:
        if may_be_module or not self.dialects:
            return None
        if len(self.dialects) > 1:
            raise UnknownDialect
        return next(iter(self.dialects))


GAMES: dict[str, GameSdk] = {}  # keyed by name; filled when their packages are imported


def register(game: GameSdk) -> GameSdk:
    """Register a game with the harness."""
    GAMES[game.game] = game
    return game
