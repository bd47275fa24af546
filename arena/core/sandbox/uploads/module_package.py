"""Pack one of the arena's own modules as a self-contained upload.

Invariant: the upload is self-contained. A module without relative imports becomes a single file. Otherwise the module
and all modules that it imports relatively, directly or not, keep their relative paths in a folder named after their
top-level folder, and ``main.py`` imports the player from there. A data file named after a module is included with it:
``weights.bin`` with ``weights.py``. Nothing is executed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from arena.core.sandbox.uploads.package import MAIN, Package

_PLAYERS = ("AIPlayer", "get_move")  # in the harness's order of preference


def read_module(path: Path, top: Path | None = None) -> Package:
    """Return the package of a bot's module; ``top``: the folder that it may import from (default: its own).

    Raises OSError, SyntaxError, and ValueError for imports from above that folder and for a module without a
    player.
    """
    folder = top or path.parent
    module = ".".join((folder.name, *path.relative_to(folder).with_suffix("").parts))
    files = _imported_files(path, folder)
    if len(files) == 1:
        return Package.from_files({MAIN: path.read_bytes()})
    contents = {f"{folder.name}/{file.relative_to(folder).as_posix()}": file.read_bytes() for file in files}
    for file in files:
        for data in sorted(file.parent.glob(f"{file.stem}.*")):
            contents[f"{folder.name}/{data.relative_to(folder).as_posix()}"] = data.read_bytes()
        for parent in _package_folders(file, folder):
            contents.setdefault(f"{folder.name}/{parent}__init__.py", (folder / parent / "__init__.py").read_bytes())
    tree = ast.parse(path.read_bytes())
    docstring = ast.get_docstring(tree, clean=False) or path.stem
    players = _imported_players(tree)
    if not players:
        raise ValueError(
            f"{path} has no player; expected a class AIPlayer, a function get_move or a class with a get_move method"
        )
    listed = ", ".join(f'"{name}"' for name in players)
    source = f'"""{docstring}"""\n\nfrom {module} import {", ".join(players)}\n\n__all__ = [{listed}]\n'
    return Package.from_files({MAIN: source.encode(), **contents})


def _imported_players(tree: ast.Module) -> list[str]:
    """Return the names that ``main.py`` imports: the first of ``_PLAYERS`` that exists, or else all the classes."""
    names = {name for statement in tree.body for name in _bound_names(statement)}
    preferred = next((name for name in _PLAYERS if name in names), None)
    return [preferred] if preferred else [one.name for one in tree.body if isinstance(one, ast.ClassDef)]


def _bound_names(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a top-level statement binds."""
    match statement:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (alias.asname or alias.name for alias in names)
        case ast.Assign(targets=targets):
            yield from (target.id for target in targets if isinstance(target, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
            yield name


def _imported_files(path: Path, folder: Path) -> set[Path]:
    """Return the module's file and the files that it imports with relative imports."""
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += _relative_imports(file, folder)
    return found


def _relative_imports(file: Path, folder: Path) -> Iterator[Path]:
    for node in ast.walk(ast.parse(file.read_bytes(), str(file))):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        base = file.parents[node.level - 1]
        if not base.is_relative_to(folder):
            raise ValueError(f"{file} imports from outside {folder}")
        target = base.joinpath(*node.module.split(".")) if node.module else base
        if target.with_suffix(".py").is_file():
            yield target.with_suffix(".py")
        else:
            yield from (one for name in node.names if (one := target / f"{name.name}.py").is_file())


def _package_folders(file: Path, folder: Path) -> Iterator[str]:
    """Yield the folders from ``folder`` to the file's own, as relative paths: "" for ``folder``, others end in "/"."""
    parts = file.parent.relative_to(folder).parts
    for count in range(len(parts) + 1):
        yield "".join(f"{part}/" for part in parts[:count])
