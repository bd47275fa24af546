"""Examples for the reference of a game's state, read from ``examples/state.txt`` in the folder of the game's bots.

The file has the format of Python's ``doctest``. A test runs it with the state of a real match, so the values are those
that a bot receives.
"""

from __future__ import annotations

import ast
import doctest
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from arena.games.bot_packages import bots_folder
from arena.studio.completions import completions

_BLANK = "<BLANKLINE>"


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a class; ``name``: "" for the class itself."""

    owner: str
    name: str = ""


def state_examples(game: str) -> Mapping[Member, str]:
    """Return the examples of each member and class, as they look in an interactive session.

    An example belongs to the first member that its code names, otherwise to the same member as the previous example.
    Empty if the game has no examples.
    """
    path = bots_folder(game) / "examples" / "state.txt"
    if not path.is_file():
        return {}
    found, state = completions(game)["classes"], completions(game)["state"]
    shown: defaultdict[Member, list[str]] = defaultdict(list)
    member = Member(state)
    for example in doctest.DocTestParser().get_examples(path.read_text(encoding="utf-8")):
        member = next(_members_in(ast.parse(example.source), state, found), member)
        shown[member].append(_session_text(example))
    return {one: "".join(texts).rstrip() for one, texts in shown.items()}


def _session_text(example: doctest.Example) -> str:
    prompt = example.source.rstrip("\n").replace("\n", "\n... ")
    return f">>> {prompt}\n{example.want.replace(_BLANK, '')}"


def _members_in(tree: ast.AST, state: str, found: Mapping[str, Any]) -> Iterator[Member]:
    """Yield the members named in the code, in order of appearance; in a chain such as ``a.b.c``, ``c`` comes first."""
    named = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    for node in sorted(named, key=lambda one: (one.lineno, one.col_offset, -(one.end_col_offset or 0))):
        member = _member(node, state, found)
        if member:
            yield member


def _member(node: ast.Attribute, state: str, found: Mapping[str, Any]) -> Member | None:
    owner = _class_of(node.value, state, found)
    return Member(owner, node.attr) if owner and _signature(found, Member(owner, node.attr)) else None


def _class_of(node: ast.expr, state: str, found: Mapping[str, Any]) -> str:
    """Return the class of an expression or of its elements; "" if it is unknown.

    The state is the only variable whose class is known, so every variable name is taken to be the state.
    """
    while isinstance(node, (ast.Subscript, ast.Call)):
        node = node.value if isinstance(node, ast.Subscript) else node.func
    if isinstance(node, ast.Name):
        return state
    member = _member(node, state, found) if isinstance(node, ast.Attribute) else None
    result = _signature(found, member).rpartition("->")[2] if member else ""
    return next((name for name in re.findall(r"\w+", result) if name in found), "")


def _signature(found: Mapping[str, Any], member: Member) -> str:
    """Return the signature of a member; "" if the class has no such member."""
    members = found[member.owner]["members"]
    return next((one["signature"] or ":" for one in members if one["name"] == member.name), "")
