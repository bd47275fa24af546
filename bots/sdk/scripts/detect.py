"""Tells a module from a script, and which dialect a script speaks, by looking at the source; nothing is run.

In this order:

1. A comment ``# arena: NAME`` at the beginning of a line of ``main.py`` decides: one of ``DIALECTS``, ``module``, or
   for Reversi ``reversi-ai``.
2. Where ``main.py`` has ``AIPlayer`` or ``get_move``, it is a module; where it defines ``reversi_ai``, a module that
   is called by this name, or a script of Saiblo if that function wants more than three arguments.
3. Where none of the bot's files reads standard input, it is a module.
4. Else it is a script. The golden point has one dialect. Of Reversi's, the words say which: ``requests`` and
   ``responses``, or the line that asks to keep running, for Botzone; ``SCORE`` or ``FINAL`` for the Othello GUI;
   Botzone without JSON for its simple interaction; CodinGame's name, the names in its starting code or an endless
   loop for CodinGame.
5. Where a class has ``get_move`` and nothing is read while ``main.py`` would be imported, such words are needed, an
   endless loop does not make it a script.
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
_FUNCTION_NAME, _FUNCTION_TAKES = "reversi_ai", 3

_NAMED = re.compile(rb"^#[ \t]*arena:[ \t]*([\w-]+)", re.MULTILINE | re.IGNORECASE)
_SURELY_MODULE = re.compile(rb"^(?:class[ \t]+AIPlayer|def[ \t]+get_move)\b", re.MULTILINE)
_IS_FUNCTION = re.compile(rb"^def[ \t]+reversi_ai\b", re.MULTILINE)
_MAY_READ = re.compile(rb"\b(?:input|stdin|fileinput)\b|\b(?:open|read|fdopen)\(\s*0\b")
# Its name, and names of the code that it gives to everybody to start from.
_CODINGAME = frozenset({"codingame", "action_count", "actioncount"})
_WORDS = re.compile(rb"botzone|codingame|action_?count")
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
        return "saiblo" if _look(main).wants_more else FUNCTION
    files = [main, *others]
    if not any(_MAY_READ.search(file) for file in files):
        return None
    looks = [_look(file) for file in files]
    if looks[0].bound & _PLAYERS or not any(look.reads for look in looks):
        return None
    whole = _Look.of(looks)
    may_be_module = whole.has_player_class and not looks[0].reads_at_import
    if game == "golden_point":
        return None if may_be_module else "golden-lines"
    return _of_reversi(whole, may_be_module)


def _of_reversi(look: _Look, may_be_module: bool) -> str | None:
    if {"requests", "responses"} <= look.strings or (KEEP_RUNNING in look.strings and "json" in look.bound):
        return "botzone"
    if any(text.startswith(("SCORE", "FINAL")) for text in look.strings):
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


@dataclass(slots=True)
class _Look:
    """What a source shows: names bound at its top level, texts in it, words of the whole file that matter."""

    bound: set[str] = field(default_factory=set)
    strings: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    reads: bool = False
    reads_at_import: bool = False  # outside of all functions, classes and the guard for programs
    endless: bool = False  # has a loop without an end
    has_player_class: bool = False
    wants_more: bool = False  # the function of Saiblo's bots takes more than Saiblo tells

    @classmethod
    def of(cls, looks: Iterable[_Look]) -> _Look:
        """All of them as one."""
        whole = cls()
        for look in looks:
            whole.bound |= look.bound
            whole.strings |= look.strings
            whole.words |= look.words
            whole.reads |= look.reads
            whole.reads_at_import |= look.reads_at_import
            whole.endless |= look.endless
            whole.has_player_class |= look.has_player_class
        return whole


def _look(source: bytes) -> _Look:
    look = _Look()
    look.words = {word.decode() for word in _WORDS.findall(source.lower())}
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # whoever runs it will say so
        return look
    for statement in tree.body:
        look.bound |= set(_bound_by(statement))
        if isinstance(statement, ast.FunctionDef) and statement.name == _FUNCTION_NAME:
            look.wants_more = len(statement.args.args) - len(statement.args.defaults) > _FUNCTION_TAKES
        look.reads_at_import |= any(map(_calls_for_input, _at_import(statement)))
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


def _at_import(statement: ast.AST) -> Iterator[ast.AST]:
    """The parts of a statement that run while a module is imported."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)) or (
        isinstance(statement, ast.If) and "__name__" in ast.unparse(statement.test)
    ):
        return
    yield statement
    for child in ast.iter_child_nodes(statement):
        yield from _at_import(child)


def _calls_for_input(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and any(map(_reads, (node, *ast.walk(node.func))))


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
