"""Locate the code that gave an illegal answer, from the bot's sources alone.

An illegal answer has no traceback. If the player's function can only end with one particular statement, the line of
this statement is returned; otherwise the line is unknown, and the function's definition is shown instead. Names are
resolved as in ``bots/sdk/finder.py``; if that would require running the code, no line is returned.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from arena.core.referee.diagnosis import SOURCE_LINE_CHARS
from arena.core.referee.faults import FaultKind
from arena.core.sandbox.uploads.package import MAIN

CHECKED_CHARS: Final = 100_000  # limit per file; a longer file is considered data
_CLASS: Final = "AIPlayer"
_FUNCTION: Final = "get_move"
_MAX_IMPORTS: Final = 10
_NOT_PLAYERS: Final = frozenset({"RandomPlayer", "HumanPlayer", "Player"})
# A script answers by printing, whatever its functions are called.
_SCRIPT: Final = re.compile(r"\binput\s*\(|\bstdin\b")
_OWN_SCOPE: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class AnswerLocation:
    """A line in one of the bot's files; ``is_definition``: the line defines the function that answered."""

    file: str
    line: int
    source_line: str
    is_definition: bool


def with_locations(faults: Iterable[Mapping[str, Any]], sources: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the faults with the known locations of illegal answers; see ``Diagnosis.to_json`` for a fault's form."""
    found = [dict(one) for one in faults]
    unlocated = [one for one in found if needs_location(one)]
    location = answer_location(sources) if unlocated else None
    if location:
        for one in unlocated:
            one |= asdict(location)
    return found


def needs_location(fault: Mapping[str, Any]) -> bool:
    return fault["kind"] == FaultKind.ILLEGAL_MOVE and not fault["line"]


def answer_location(sources: Mapping[str, str]) -> AnswerLocation | None:
    """Return the line that gave the bot's illegal answers; None if it is unknown.

    ``sources``: file contents by path.
    """
    found = _player(sources, MAIN, "", _MAX_IMPORTS)
    if found is None:
        return None
    file, function = found
    last = _find_only_return(function)
    line = last.lineno if last else function.lineno
    text = sources[file].split("\n")[line - 1].strip()[:SOURCE_LINE_CHARS]
    return AnswerLocation(file, line, text, is_definition=last is None)


def _player(sources: Mapping[str, str], path: str, name: str, imports: int) -> tuple[str, ast.FunctionDef] | None:
    """Return the file that contains the player's function, and the function; None if they cannot be determined.

    ``path``: the file to search; ``name``: the name that another file imports from it, "" for the main file.
    ``imports``: how many more imports may be followed.
    """
    source = sources.get(path)
    tree = _parse_source(source) if source is not None else None
    if tree is None or not imports:
        return None
    bound = dict(_bindings(tree.body))
    if "*" in bound:
        return None
    name = name or next((one for one in (_CLASS, _FUNCTION) if one in bound), "") or _find_only_class(bound)
    node = bound.get(name)
    if isinstance(node, ast.ImportFrom):
        original = next(one.name for one in node.names if (one.asname or one.name) == name)
        found = _player(sources, _path_of(node, path, sources), original, imports - 1)
        if found and name == _CLASS and found[1].name == original:
            return None  # a function that creates the player
    elif isinstance(node, ast.ClassDef):
        node = dict(_bindings(node.body)).get(_FUNCTION)
        found = (path, node) if isinstance(node, ast.FunctionDef) else None
    else:
        found = (path, node) if isinstance(node, ast.FunctionDef) and name != _CLASS else None
    return found


def _parse_source(source: str) -> ast.Module | None:
    if len(source) > CHECKED_CHARS or _SCRIPT.search(source):
        return None
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _bindings(body: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """Yield, in order, each name that the statements bind, with the binding statement; a name's last binding counts."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, node
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((one.asname or one.name, node) for one in node.names)
        else:
            names = (one for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
            yield from ((one.id, node) for one in names)
            blocks = (getattr(node, block, ()) for block in ("body", "orelse", "finalbody"))
            yield from (found for block in blocks for found in _bindings(block))


def _find_only_class(bound: Mapping[str, ast.stmt]) -> str:
    """Return the name of the only class that could be the player; "" if there is none or more than one."""
    able = [
        name
        for name, node in bound.items()
        if isinstance(node, ast.ClassDef) and name not in _NOT_PLAYERS and "node" not in name.lower()
        if _FUNCTION in dict(_bindings(node.body))
    ]
    return able[0] if len(able) == 1 else ""


def _path_of(node: ast.ImportFrom, importer: str, sources: Mapping[str, str]) -> str:
    """Return the path of an imported file; "" if it is not one of the bot's own files."""
    folder = importer.split("/")[: -node.level] if node.level else []
    stem = "/".join([*folder, *(node.module or "").split(".")])
    return next((path for path in (f"{stem}.py", f"{stem}/__init__.py") if path in sources), "")


def _find_only_return(function: ast.FunctionDef) -> ast.Return | None:
    """Return the only statement at which the function can end; None if it can end in more than one place."""
    if function.decorator_list:
        return None
    inside = list(_own_nodes(function.body))
    returns = [node for node in inside if isinstance(node, ast.Return)]
    is_generator = any(isinstance(node, ast.Yield | ast.YieldFrom) for node in inside)
    last = function.body[-1]
    return last if isinstance(last, ast.Return) and returns == [last] and not is_generator else None


def _own_nodes(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes of a function, excluding those of nested functions and classes."""
    for node in nodes:
        if not isinstance(node, _OWN_SCOPE):
            yield node
            yield from _own_nodes(ast.iter_child_nodes(node))
