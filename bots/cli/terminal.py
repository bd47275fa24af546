"""What a game adds to the command line: its ``bots/<game>/terminal.py`` holds one ``Terminal``, named ``TERMINAL``.

A game without that module is drawn by its moves, and has no commands of its own.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec

from arena.games.base import Json
from arena.games.registry import GAMES, PACKAGES
from bots.cli.engines import Engines
from bots.cli.errors import CommandError

Draw = Callable[[Mapping[str, Json], Sequence[str]], str]


def draw_moves(turn: Mapping[str, Json], names: Sequence[str]) -> str:
    """The moves of a turn in one line; for games without a drawing of their own."""
    shown = [f"{names[move['seat']]} {move['fault'] or move['move']}" for move in turn["moves"]]
    return f"{turn['number']:4}  " + " | ".join(shown)


@dataclass(frozen=True, slots=True)
class Command:
    """A command of one game; ``run`` says whether all went well."""

    name: str
    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, ExitStack], bool]


@dataclass(frozen=True, slots=True)
class Program:
    """What ``python -m bots VERB GAME NAME`` starts: ``main(arguments)`` of a module, which reads them itself."""

    verb: str
    name: str
    module: str


@dataclass(frozen=True, slots=True)
class Terminal:
    """``draw``: a turn as replays and the referee's events give it: ``{"number", "moves", "view"}``.

    ``aliases``: what house bots are called elsewhere. ``needs_history``: bots keep what earlier turns told them, so
    none can be asked for a late turn alone.
    """

    draw: Draw = draw_moves
    aliases: Mapping[str, str] = field(default_factory=dict)
    engines: Engines | None = None
    commands: tuple[Command, ...] = ()
    programs: tuple[Program, ...] = ()
    needs_history: bool = True


def terminal(game: str) -> Terminal:
    """What this game adds, or nothing."""
    name = f"{PACKAGES[game].bots}.terminal"
    if find_spec(name) is None:
        return Terminal()
    added: Terminal = import_module(name).TERMINAL
    return added


def draw(game: str, turn: Mapping[str, Json], names: Sequence[str]) -> str:
    """A turn as text, with the names of the seats."""
    return terminal(game).draw(turn, names)


def all_terminals() -> Iterator[tuple[str, Terminal]]:
    """Every game with what it adds."""
    return ((game, terminal(game)) for game in GAMES)


def run_program(verb: str, game: str, arguments: Sequence[str]) -> None:
    """Start one of the game's programs, named by the first argument where there are several. Raises CommandError."""
    programs = {one.name: one for one in terminal(game).programs if one.verb == verb}
    if not programs:
        raise CommandError(f"There is nothing to {verb} for {game}.")
    name, rest = (arguments[0], arguments[1:]) if arguments and arguments[0] in programs else ("", arguments)
    if not name and len(programs) > 1:
        raise CommandError(f"Say what to {verb}: {', '.join(f'{verb} {game} {one}' for one in programs)}.")
    program = programs[name or next(iter(programs))]
    try:
        import_module(program.module).main(rest)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("arena", "bots"):
            raise
        raise CommandError(f"This needs {error.name}. In a checkout of the arena, run: make training") from None
