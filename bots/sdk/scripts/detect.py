"""Tells a module from a script, and which dialect a script speaks, by looking at the source; nothing is run.

In this order:

1. A comment ``# arena: NAME`` at the beginning of a line of ``main.py`` decides: one of ``DIALECTS``, ``module``, or
   for Reversi ``reversi-ai``.
2. Where ``main.py`` has ``AIPlayer``, it is a module; where it defines ``reversi_ai``, a module that is called by this
   name, or a script of Saiblo if that function wants more than three arguments.
3. Where none of the bot's files reads standard input, it is a module; also where ``main.py`` has a function
   ``get_move`` that can be called with one argument, and nothing is read while it would be imported.
4. Else it is a script. The golden point has one dialect. Of Reversi's, the words say which: ``requests`` and
   ``responses``, or the line that asks to keep running, for Botzone; ``SCORE`` or ``FINAL`` for the Othello GUI;
   Botzone without JSON for its simple interaction; CodinGame's name, the names in its starting code or an endless
   loop for CodinGame.
5. Where a class has ``get_move`` and nothing is read while ``main.py`` would be imported, such words are needed, an
   endless loop does not make it a script.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable

from bots.sdk.failures import NoPlayer
from bots.sdk.scripts import DIALECTS
from bots.sdk.scripts.botzone import KEEP_RUNNING
from bots.sdk.scripts.look import Look, look_at

MODULE = "module"
FUNCTION = "reversi-ai"

_NAMED = re.compile(rb"^#[ \t]*arena:[ \t]*([\w-]+)", re.MULTILINE | re.IGNORECASE)
_SURELY_MODULE = re.compile(rb"^class[ \t]+AIPlayer\b", re.MULTILINE)
_IS_FUNCTION = re.compile(rb"^def[ \t]+reversi_ai\b", re.MULTILINE)
_MAY_READ = re.compile(rb"\b(?:input|stdin|fileinput)\b|\b(?:open|read|fdopen)\(\s*0\b")
# Its name, and names of the code that it gives to everybody to start from.
_CODINGAME = frozenset({"codingame", "action_count", "actioncount"})


def dialect_name(main: bytes, others: Iterable[bytes], game: str) -> str | None:
    """The name of the dialect or ``FUNCTION``, None for a module; raises NoPlayer where that cannot be told.

    ``others``: the bot's further Python files, read only where they matter.
    """
    named = _NAMED.search(main.removeprefix(codecs.BOM_UTF8))
    if named:
        return _checked(named[1].decode().lower(), game)
    if _SURELY_MODULE.search(main):
        return None
    if game == "reversi" and _IS_FUNCTION.search(main):
        return "saiblo" if look_at(main).wants_more else FUNCTION
    files = [main, *others]
    if not any(_MAY_READ.search(file) for file in files):
        return None
    looks = [look_at(file) for file in files]
    own, whole = looks[0], Look.of(looks)
    plays = own.has_player_function and not own.reads_at_import
    if not whole.reads or plays or "AIPlayer" in own.bound:
        return None
    may_be_module = whole.has_player_class and not own.reads_at_import
    if game == "golden_point":
        return None if may_be_module else "golden-lines"
    return _of_reversi(whole, may_be_module)


def _of_reversi(look: Look, may_be_module: bool) -> str | None:
    if {"requests", "responses"} <= look.strings or (KEEP_RUNNING in look.strings and "json" in look.bound):
        return "botzone"
    if look.strings & {"SCORE", "FINAL"}:
        return "othello-gui"
    if "botzone" in look.words or KEEP_RUNNING in look.strings:
        return "botzone-simple"
    if look.words & _CODINGAME:
        return "codingame"
    if may_be_module:
        return None
    if look.endless:
        return "codingame"
    raise NoPlayer(
        "main.py reads its standard input, but not in a way that tells for which site it was written. "
        f"Write one of these names into its first line, as # arena: NAME: {', '.join(_names('reversi'))}."
    )


def _names(game: str) -> list[str]:
    names = [name for name, dialect in DIALECTS.items() if dialect.game == game]
    return [*names, FUNCTION] if game == "reversi" else names


def _checked(name: str, game: str) -> str | None:
    names = _names(game)
    if name == MODULE:
        return None
    if name not in names:
        raise NoPlayer(
            f"main.py says # arena: {name}, which is unknown in this game. Known are: {', '.join([*names, MODULE])}."
        )
    return name
