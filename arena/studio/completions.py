"""The editor's completions after ``state.``, from the source code of the state that bots of the game receive.

A game's package in the jail names the class of its state in ``GameSdk.state``. The source is parsed, never imported, so
completions work for every game and always reflect its current code.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from arena.games.bot_packages import package_folder
from arena.games.registry import PACKAGES


class MemberKind(StrEnum):
    """The kind of a member, in the editor's terms."""

    METHOD = "method"
    PROPERTY = "property"


@dataclass(frozen=True, slots=True)
class StateAttribute:
    """An attribute of a game state, for code completion.

    ``signature``: for a method, everything from the opening parenthesis on; for a property, ``: type``. ``type``: the
    attribute's class, if known.
    """

    name: str
    kind: MemberKind
    signature: str
    doc: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class StateClass:
    """The class of a game state or of one of its attributes, for code completion."""

    name: str
    doc: str
    members: tuple[StateAttribute, ...]


@cache
def completions(game: str) -> dict[str, Any]:
    """Return the editor's completions for bots of a game.

    ``state``: the class of ``get_move``'s argument, "" if the game declares none; ``classes``: all classes by name.
    """
    package = PACKAGES[game].sdk
    folder = package_folder(package)
    module, _, state = _state_class_name(folder / "__init__.py").partition(":")
    if not state:
        return {"state": "", "classes": {}}
    found = {name: one for path in sorted(folder.glob("*.py")) for name, one in _classes(path)}
    wanted, open_names = {}, [state]
    while open_names:
        name = open_names.pop()
        if name in found and name not in wanted:
            wanted[name] = found[name]
            open_names += [one for member in found[name].members for one in _names_in(member.signature)]
    if state not in wanted:
        raise LookupError(f"{module} has no class {state}, which the package {package} names as its state.")
    return {"state": state, "classes": {name: asdict(one) for name, one in wanted.items()}}


def described_completions(game: str, describe: Callable[[str], str]) -> dict[str, Any]:
    """Return the completions, with ``describe`` applied to every docstring."""
    found = completions(game)
    return {**found, "classes": {name: _describe_class(one, describe) for name, one in found["classes"].items()}}


def _describe_class(one: dict[str, Any], describe: Callable[[str], str]) -> dict[str, Any]:
    members = [{**member, "doc": describe(member["doc"])} for member in one["members"]]
    return {**one, "doc": describe(one["doc"]), "members": members}


def _state_class_name(init: Path) -> str:
    for node in ast.walk(_parse_file(init)):
        if isinstance(node, ast.keyword) and node.arg == "state" and isinstance(node.value, ast.Constant):
            return str(node.value.value)
    return ""


def _parse_file(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _classes(path: Path) -> Iterator[tuple[str, StateClass]]:
    for node in _parse_file(path).body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            doc = ast.get_docstring(node) or ""
            yield node.name, StateClass(node.name, doc, tuple(_members(node, doc)))


def _members(node: ast.ClassDef, class_doc: str) -> Iterator[StateAttribute]:
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            kind = ast.unparse(item.annotation)
            yield StateAttribute(
                item.target.id,
                MemberKind.PROPERTY,
                f": {kind}",
                _attribute_doc(item.target.id, class_doc),
                _class_name_in(kind),
            )
        elif isinstance(item, ast.FunctionDef) and _is_offered(item):
            doc = ast.get_docstring(item) or ""
            returns = ast.unparse(item.returns) if item.returns else ""
            if any(isinstance(one, ast.Name) and one.id == "property" for one in item.decorator_list):
                yield StateAttribute(
                    item.name, MemberKind.PROPERTY, f": {returns}" if returns else "", doc, _class_name_in(returns)
                )
            else:
                yield StateAttribute(
                    item.name, MemberKind.METHOD, _signature(item, returns), doc, _class_name_in(returns)
                )


def _is_offered(item: ast.FunctionDef) -> bool:
    """Return whether to offer a method.

    Documented methods are offered even with a leading underscore: the board class of one course has such methods, and
    that course's bots call them.
    """
    return not item.name.startswith("_") or (ast.get_docstring(item) is not None and not item.name.endswith("__"))


def class_description(doc: str) -> str:
    """Return a class's docstring without the paragraphs about its attributes."""
    return "\n\n".join(one for one in doc.split("\n\n") if not re.match(r"``\w+``:", one))


def _names_in(signature: str) -> list[str]:
    """Return the names in a signature, including the classes of elements and arguments."""
    return re.findall(r"\w+", signature)


def _class_name_in(annotation: str) -> str:
    return annotation.removesuffix(" | None")


def _signature(item: ast.FunctionDef, returns: str) -> str:
    arguments = ast.parse(ast.unparse(item.args) and f"def f({ast.unparse(item.args)}): pass").body[0]
    assert isinstance(arguments, ast.FunctionDef)  # noqa: S101 - written in the line above
    arguments.args.args = arguments.args.args[1:]  # without self
    return f"({ast.unparse(arguments.args)})" + (f" -> {returns}" if returns else "")


def _attribute_doc(name: str, class_doc: str) -> str:
    """Return the sentences about an attribute from its class's docstring."""
    text = " ".join(inspect.cleandoc(class_doc).split())
    parts = [part.strip() for sentence in text.split(". ") for part in sentence.split("; ")]
    sentences = [part.removeprefix(f"``{name}``: ").rstrip(".") for part in parts if f"``{name}``" in part]
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in sentences)
