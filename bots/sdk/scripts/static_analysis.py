"""Static analysis of a Python file that may be a script."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

_INPUT = "input"  # represents every call that reads standard input


@dataclass(slots=True)
class SourceFacts:
    """The facts about a source file: names bound at top level, its string literals, and the whole text in lower case.

    ``needs``: the number of required arguments of its top-level functions.
    """

    bound: set[str] = field(default_factory=set)
    strings: set[str] = field(default_factory=set)
    text: bytes = b""
    needs: dict[str, int] = field(default_factory=dict)
    reads: bool = False
    reads_at_import: bool = False  # outside of functions, classes and the main guard
    endless: bool = False  # has an endless loop
    has_player_class: bool = False
    has_player_function: bool = False

    @classmethod
    def combine(cls, looks: Iterable[SourceFacts]) -> SourceFacts:
        """Combine the facts about several source files."""
        whole = cls()
        for look in looks:
            whole.bound |= look.bound
            whole.strings |= look.strings
            whole.text += look.text + b"\n"
            whole.reads |= look.reads
            whole.endless |= look.endless
            whole.has_player_class |= look.has_player_class
        return whole


def source_facts(source: bytes) -> SourceFacts:
    """Return the facts about a Python file; for an invalid file, only its text."""
    look = SourceFacts(text=source.lower())
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # running the file will report the error
        return look
    for statement in tree.body:
        look.bound |= set(_bound_names(statement))
        if isinstance(statement, ast.FunctionDef):
            look.needs[statement.name] = _required_arguments(statement)
        if isinstance(statement, ast.ClassDef):
            own = {part.name for part in statement.body if isinstance(part, ast.FunctionDef)}
            look.has_player_class |= "get_move" in own
    players = [one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == "get_move"]
    look.has_player_function = "get_move" in look.bound and all(_required_arguments(one) <= 1 for one in players)
    look.reads_at_import = _reads_at_import(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            look.strings.add(node.value.strip())
        look.reads |= _reads_input(node)
        look.endless |= isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)
    return look


def _required_arguments(function: ast.FunctionDef) -> int:
    """Return how many positional arguments a function requires."""
    return len(function.args.posonlyargs) + len(function.args.args) - len(function.args.defaults)


def _bound_names(statement: ast.stmt) -> Iterator[str]:
    """Yield the names bound by a top-level statement."""
    if isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        yield statement.name
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in statement.names)
    elif isinstance(statement, ast.Assign):
        yield from (target.id for target in statement.targets if isinstance(target, ast.Name))
    elif isinstance(statement, (ast.If, ast.Try)):
        for part in statement.body:
            yield from _bound_names(part)


def _reads_at_import(tree: ast.Module) -> bool:
    """Return whether importing the file would read standard input, directly or through the file's own functions."""
    functions = {
        one.name: set(map(_called_name, ast.walk(one))) for one in tree.body if isinstance(one, ast.FunctionDef)
    }
    reading = {name for name, called in functions.items() if _INPUT in called}
    while more := {name for name, called in functions.items() if called & reading} - reading:
        reading |= more
    called = {_called_name(node) for statement in tree.body for node in _nodes_run_at_import(statement)}
    return bool(called & {_INPUT, *reading})


def _called_name(node: ast.AST) -> str:
    """Return the name of the function that ``node`` calls, or "" if there is none.

    The name for any call that reads standard input is ``_INPUT``.
    """
    if not isinstance(node, ast.Call):
        return ""
    if any(map(_reads_input, (node, *ast.walk(node.func)))):
        return _INPUT
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _nodes_run_at_import(statement: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a statement that run during an import."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)) or (
        isinstance(statement, ast.If) and "__name__" in ast.unparse(statement.test)
    ):
        return
    yield statement
    for child in ast.iter_child_nodes(statement):
        yield from _nodes_run_at_import(child)


def _reads_input(node: ast.AST) -> bool:
    """Return whether this node reads standard input."""
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
