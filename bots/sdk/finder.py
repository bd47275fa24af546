"""Find the player in a bot's module and determine how to call it.

The player is the first of these that exists: ``AIPlayer``, a class or another callable that creates a player for a
seat; the function ``get_move``; the only class with a method ``get_move`` that takes the state, not counting
``RandomPlayer``, ``HumanPlayer``, ``Player`` and classes whose name contains "node"; the only ``AIPlayer`` in the bot's
own modules that ``main.py`` imports.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from bots.sdk.adapter import Adapter
from bots.sdk.answers import sanitize_text
from bots.sdk.failures import ManyPlayers, NoPlayer

PREFERRED = "AIPlayer"
NOT_PLAYERS = frozenset({"RandomPlayer", "HumanPlayer", "Player"})
# Names of constructor parameters that receive the seat even if they have a default.
SEAT_NAMES = frozenset({"seat", "color", "colour", "side", "me", "player", "my_color", "mycolor"})

_MAX_FILES = 100  # files searched for a player
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True)
class FoundPlayer:
    """The player found in a module: a function, or a class or other callable that creates a player."""

    name: str
    target: Any
    is_class: bool

    @property
    def code(self) -> str:
        """Return the message code for this kind of player, for the check's report."""
        return "bot.player.class" if self.is_class else "bot.player.function"

    def construct(self, adapter: Adapter) -> Callable[..., Any]:
        """Return the player's ``get_move``, after creating the player if it is a class."""
        if not self.is_class:
            adapter.prepare(self.target)
            return self.target  # type: ignore[no-any-return]
        seat = (adapter.seat_argument,) if takes_seat(self.target, adapter.always_passes_seat) else ()
        seat_name = "color" if isinstance(adapter.seat_argument, str) else "seat"
        _check_constructor(self.target, self.name, seat, seat_name)
        player = self.target(*seat)
        adapter.prepare(player)
        get_move: Callable[..., Any] = player.get_move
        return get_move


def find_player(module: ModuleType, folder: str) -> FoundPlayer:
    """Return the module's player. Raises NoPlayer or ManyPlayers, which describe what was found."""
    preferred = getattr(module, PREFERRED, None)
    if isinstance(preferred, type) and not callable(getattr(preferred, "get_move", None)):
        raise NoPlayer("bot.no_get_move")
    if callable(preferred):
        return FoundPlayer(PREFERRED, preferred, is_class=True)
    function = getattr(module, "get_move", None)
    if callable(function):
        return FoundPlayer("get_move", function, is_class=False)
    candidates = _candidate_classes(module)
    if len(candidates) > 1:
        names = sorted(candidates)
        raise ManyPlayers("bot.many_players", classes=", ".join(names), name=names[0])
    candidates = candidates or _find_in_imported_modules(module, folder)
    if not candidates:
        raise _explain_missing_player(module, folder)
    name, found = next(iter(candidates.items()))
    return FoundPlayer(name, found, is_class=True)


def _candidate_classes(module: ModuleType) -> dict[str, type]:
    """Return the classes that could be the player; imported ones only if the module itself defines none."""
    able = {
        value.__name__: value
        for value in vars(module).values()
        if isinstance(value, type) and _may_be_player(value.__name__) and _accepts_state(value)
    }
    own = {name: value for name, value in able.items() if value.__module__ == module.__name__}
    return own or able


def _find_in_imported_modules(module: ModuleType, folder: str) -> dict[str, type]:
    """Return the only player in the bot's modules that main.py imports, keyed by name; {} if none or several exist."""
    modules = [value for value in vars(module).values() if isinstance(value, ModuleType)]
    own = [one for one in modules if str(getattr(one, "__file__", "")).startswith(folder)]
    found = {player for one in own if isinstance(player := getattr(one, PREFERRED, None), type)}
    return {PREFERRED: found.pop()} if len(found) == 1 else {}


def _may_be_player(name: str) -> bool:
    return name not in NOT_PLAYERS and "node" not in name.lower()


def _accepts_state(player: type) -> bool:
    """Return whether the class has a ``get_move`` that accepts a state; in some base classes, it takes none."""
    get_move = getattr(player, "get_move", None)
    if not callable(get_move):
        return False
    try:
        parameters = inspect.signature(get_move).parameters
    except (TypeError, ValueError):
        return True
    bound = not inspect.isfunction(inspect.getattr_static(player, "get_move"))
    return len(parameters) > (0 if bound else 1) or any(
        one.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD) for one in parameters.values()
    )


def _check_constructor(target: Any, name: str, seat: tuple[Any, ...], seat_name: str) -> None:
    """Raise NoPlayer if the constructor requires more arguments than it receives."""
    try:
        signature = inspect.signature(target)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*seat)
    except TypeError:
        call = f"{name}({seat_name if seat else ''})"
        own = inspect.getattr_static(target, "__init__", None)
        about = getattr(own, "__code__", None)
        arguments = sanitize_text(str(signature), 200)
        raise NoPlayer("bot.constructor", about, call=call, name=name, arguments=arguments) from None


def _explain_missing_player(module: ModuleType, folder: str) -> NoPlayer:
    """Return an error that names another file of the bot in which a player is defined.

    If there is none, the error lists what this module defines.
    """
    beside = _find_in_other_files(folder)
    if beside:
        file, line = beside
        return NoPlayer("bot.no_player.beside", file=file, line=line)
    own = [value for value in vars(module).values() if getattr(value, "__module__", None) == module.__name__]
    classes = ", ".join(sorted({value.__name__ for value in own if isinstance(value, type)})[:10])
    functions = ", ".join(sorted({value.__name__ for value in own if inspect.isfunction(value)})[:10])
    if classes and functions:
        return NoPlayer("bot.no_player.both", classes=classes, functions=functions)
    if classes:
        return NoPlayer("bot.no_player.classes", classes=classes)
    return NoPlayer("bot.no_player.functions", functions=functions) if functions else NoPlayer("bot.no_player")


def _find_in_other_files(folder: str) -> tuple[str, str] | None:
    """Return another file that defines a player, and the line that imports the player into main.py.

    Return None if there is no such file. Nothing is executed.
    """
    for path in sorted(Path(folder).rglob("*.py"))[:_MAX_FILES]:
        parts = path.relative_to(folder).with_suffix("").parts
        if parts == ("main",) or not all(part.isidentifier() for part in parts):
            continue
        try:
            names = {_player_name(node) for node in ast.parse(path.read_bytes()).body}
        except (OSError, SyntaxError, ValueError, RecursionError):
            continue
        name = next((one for one in (PREFERRED, "get_move", *sorted(filter(None, names))) if one in names), None)
        if name:
            return f"{'/'.join(parts)}.py", f"from {'.'.join(parts)} import {name}"
    return None


def _player_name(node: ast.stmt) -> str | None:
    """Return the name of the possible player that a statement defines; None if it defines none."""
    if isinstance(node, ast.FunctionDef) and node.name == "get_move":
        return node.name
    if not isinstance(node, ast.ClassDef) or not _may_be_player(node.name):
        return None
    methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
    return node.name if "get_move" in methods else None


def takes_seat(player: type, always: bool) -> bool:
    """Return whether to pass the seat to the constructor.

    Return True if the constructor requires an argument or has one whose name suggests a seat. If ``always`` is set,
    because the course passes the seat, any argument suffices.
    """
    try:
        parameters = list(inspect.signature(player).parameters.values())
    except (TypeError, ValueError):
        return always
    positional = [one for one in parameters if one.kind in _POSITIONAL]
    if any(one.default is inspect.Parameter.empty for one in positional):
        return True
    if positional and (always or positional[0].name.lower() in SEAT_NAMES):
        return True
    return any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in parameters)


def bind_get_move(get_move: Callable[..., Any], keyword: str | None) -> Callable[[Any], Any]:
    """Return ``get_move`` as a function of the state, which is passed by keyword if there is a ``keyword``."""
    if keyword is None:
        return get_move
    try:
        parameters = inspect.signature(get_move).parameters
    except (TypeError, ValueError):
        return get_move
    named = parameters.get(keyword)
    if named is not None and named.kind is inspect.Parameter.POSITIONAL_ONLY:
        return get_move
    takes_any = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters.values())
    needs_positional = any(
        one.kind in _POSITIONAL and one.default is inspect.Parameter.empty for one in parameters.values()
    )
    if named is None and not (takes_any and not needs_positional):
        return get_move
    return lambda state: get_move(**{keyword: state})
