"""Tells a module from a script, and which dialect a script speaks, by looking at the source; nothing is run.

In this order:

1. A comment ``# arena: NAME`` at the beginning of a line of ``main.py`` decides: one of ``DIALECTS``, ``module``, or
   for Reversi ``reversi-ai``.
2. Where ``main.py`` has ``AIPlayer`` or ``get_move``, it is a module; where it defines ``reversi_ai``, a module that
   is called by this name.
3. Where none of the bot's files reads standard input, it is a module.
4. Else it is a script. The golden point has one dialect. Of Reversi's, the words say which: ``requests`` and
   ``responses``, or the line that asks to keep running, for Botzone; ``SCORE`` or ``FINAL`` for the Othello GUI;
   Botzone without JSON for its simple interaction; an endless loop, or CodinGame's name, for CodinGame.
5. A class with ``get_move`` is a module's unless Botzone or the Othello GUI were recognized.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bots.sdk.failures import NoPlayer
from bots.sdk.scripts import DIALECTS
from bots.sdk.scripts.botzone import KEEP_RUNNING

MODULE = "module"
FUNCTION = "reversi-ai"

_NAMED = re.compile(rb"^#[ \t]*arena:[ \t]*([\w-]+)", re.MULTILINE | re.IGNORECASE)
_SURELY_MODULE = re.compile(rb"^(?:class[ \t]+AIPlayer|def[ \t]+get_move)\b", re.MULTILINE)
_IS_FUNCTION = re.compile(rb"^def[ \t]+reversi_ai\b", re.MULTILINE)
_MAY_READ = re.compile(rb"\b(?:input|stdin|fileinput)\b|\b(?:open|read|fdopen)\(\s*0\b")
_PLAYERS = frozenset({"AIPlayer", "get_move"})


def dialect_name(main: bytes, others: Iterable[bytes], game: str) -> str | None:
    """The name of the dialect or ``FUNCTION``, None for a module; raises NoPlayer where that cannot be told.

    ``others``: the bot's further Python files, read only where they matter.
    """
    named = _NAMED.search(main)
    if named:
        return _checked(named[1].decode().lower(), game)
    if _SURELY_MODULE.search(main):
        return None
    if game == "reversi" and _IS_FUNCTION.search(main):
        return FUNCTION
    files = [main, *others]
    if not any(_MAY_READ.search(file) for file in files):
        return None
    looks = [_look(file) for file in files]
    if looks[0].bound & _PLAYERS or not any(look.reads for look in looks):
        return None
    whole = _Look.of(looks)
    if game == "golden_point":
        return None if looks[0].has_player_class else "golden-lines"
    return _of_reversi(whole, looks[0].has_player_class)


def _of_reversi(look: _Look, has_player_class: bool) -> str | None:
    if {"requests", "responses"} <= look.strings or (KEEP_RUNNING in look.strings and "json" in look.bound):
        return "botzone"
    if any(text.startswith(("SCORE", "FINAL")) for text in look.strings):
        return "othello-gui"
    if has_player_class:
        return None
    if "botzone" in look.words or KEEP_RUNNING in look.strings:
        return "botzone-simple"
    if look.endless or "codingame" in look.words:
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


@dataclass(slots=True)
class _Look:
    """What a source shows: names bound at its top level, texts in it, words of the whole file that matter."""

    bound: set[str] = field(default_factory=set)
    strings: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    reads: bool = False
    endless: bool = False  # has a loop without an end
    has_player_class: bool = False

    @classmethod
    def of(cls, looks: Iterable[_Look]) -> _Look:
        """All of them as one."""
        whole = cls()
        for look in looks:
            whole.bound |= look.bound
            whole.strings |= look.strings
            whole.words |= look.words
            whole.reads |= look.reads
            whole.endless |= look.endless
            whole.has_player_class |= look.has_player_class
        return whole


def _look(source: bytes) -> _Look:
    look = _Look()
    lower = source.lower()
    look.words = {word for word in ("botzone", "codingame") if word.encode() in lower}
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # whoever runs it will say so
        return look
    for statement in tree.body:
        look.bound |= set(_bound_by(statement))
        if isinstance(statement, ast.ClassDef):
            own = {part.name for part in statement.body if isinstance(part, ast.FunctionDef)}
            look.has_player_class |= "get_move" in own
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            look.strings.add(node.value.strip())
        look.reads |= _reads(node)
        look.endless |= isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)
    return look


def _bound_by(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement at the top of a file binds."""
    if isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        yield statement.name
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in statement.names)
    elif isinstance(statement, ast.Assign):
        yield from (target.id for target in statement.targets if isinstance(target, ast.Name))
    elif isinstance(statement, (ast.If, ast.Try)):
        for part in statement.body:
            yield from _bound_by(part)


def _reads(node: ast.AST) -> bool:
    """Whether this is a way to standard input."""
    if isinstance(node, ast.Name):
        return node.id in ("input", "stdin", "raw_input")
    if isinstance(node, ast.Attribute):
        return node.attr == "stdin"
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return any(alias.name in ("stdin", "fileinput") for alias in node.names)
    if isinstance(node, ast.Call) and node.args:
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        first = node.args[0]
        zero = isinstance(first, ast.Constant) and type(first.value) is int and first.value == 0
        return zero and (name in ("open", "fdopen") or (name == "read" and len(node.args) == 2))
    return False
