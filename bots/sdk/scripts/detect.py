"""Distinguish modules from scripts, and detect a script's dialect, by reading the source without executing it.

The following rules are applied in this order:

1. A comment ``# arena: NAME`` at the beginning of a line of ``main.py`` decides: a name that the game knows, or
   ``module``.
2. If ``main.py`` has ``AIPlayer``, the bot is a module. The game may recognize further cases from ``main.py`` alone.
3. If none of the bot's files reads standard input, the bot is a module. It is also a module if ``main.py`` has a
   function ``get_move`` that can be called with one argument, and importing ``main.py`` would not read anything.
4. Otherwise, the bot is a script, and the game determines its dialect. If a class has ``get_move`` and importing
   ``main.py`` would not read anything, the bot may still be a module.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable

from bots.sdk.failures import NoPlayer
from bots.sdk.game import GameSdk
from bots.sdk.scripts.static_analysis import SourceFacts, source_facts

MODULE = "module"

_NAMED = re.compile(rb"^#[ \t]*arena:[ \t]*([\w-]+)", re.MULTILINE | re.IGNORECASE)
_SURELY_MODULE = re.compile(rb"^class[ \t]+AIPlayer\b", re.MULTILINE)
_MAY_READ = re.compile(rb"\b(?:input|stdin|fileinput)\b|\b(?:open|read|fdopen)\(\s*0\b")


def dialect_name(main: bytes, others: Iterable[bytes], game: GameSdk) -> str | None:
    """Return the script's dialect, one of ``game.names``, or None if the bot is a module.

    Raises NoPlayer if ``main.py`` names an unknown dialect or if the dialect is unclear. ``others``: the bot's other
    Python files, read only if needed.
    """
    named = _NAMED.search(main.removeprefix(codecs.BOM_UTF8))
    if named:
        return _validate_name(named[1].decode().lower(), game)
    if _SURELY_MODULE.search(main):
        return None
    recognized = game.recognize(main)
    if recognized:
        return recognized
    files = [main, *others]
    if not any(_MAY_READ.search(file) for file in files):
        return None
    looks = [source_facts(file) for file in files]
    own, whole = looks[0], SourceFacts.combine(looks)
    plays = own.has_player_function and not own.reads_at_import
    if not whole.reads or plays or "AIPlayer" in own.bound:
        return None
    return game.dialect_of(whole, whole.has_player_class and not own.reads_at_import)


def _validate_name(name: str, game: GameSdk) -> str | None:
    if name == MODULE:
        return None
    if name not in game.names:
        known = ", ".join([*game.names, MODULE])
        raise NoPlayer("bot.unknown_dialect", name=name, names=known)
    return name
