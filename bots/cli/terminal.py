"""The interface through which a game extends the command line.

``bots/<game>/terminal.py`` defines one ``Terminal``, named ``TERMINAL``. Without that module, turns are shown as lists
of moves, and the game has no additional commands.
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
    """Format the moves of a turn on one line, for games that define no format."""
    shown = [f"{names[move['seat']]} {move['fault'] or move['move']}" for move in turn["moves"]]
    return f"{turn['number']:4}  " + " | ".join(shown)


@dataclass(frozen=True, slots=True)
class Command:
    """A command of one game; ``run`` returns whether it succeeded."""

    name: str
    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, ExitStack], bool]


@dataclass(frozen=True, slots=True)
class Program:
    """A program started by ``python -m bots VERB GAME NAME``.

    The function ``main(arguments)`` of ``module`` parses the arguments.
    """

    verb: str
    name: str
    module: str


@dataclass(frozen=True, slots=True)
class Terminal:
    """A game's additions to the command line.

    ``draw``: formats a turn from a replay or an event, ``{"number", "moves", "view"}``. ``aliases``: other names of
    house bots. ``needs_history``: whether a request contains only what changed, so that a later turn cannot be
    requested without the earlier ones.
    """

    draw: Draw = draw_moves
    aliases: Mapping[str, str] = field(default_factory=dict)
    engines: Engines | None = None
    commands: tuple[Command, ...] = ()
    programs: tuple[Program, ...] = ()
    needs_history: bool = True


def game_terminal(game: str) -> Terminal:
    """Return the game's ``Terminal``, or one without additions if the game defines none."""
    name = f"{PACKAGES[game].bots}.terminal"
    if find_spec(name) is None:
        return Terminal()
    added: Terminal = import_module(name).TERMINAL
    return added


def draw_turn(game: str, turn: Mapping[str, Json], names: Sequence[str]) -> str:
    """Format a turn as text; ``names`` are the names of the seats."""
    return game_terminal(game).draw(turn, names)


def all_terminals() -> Iterator[tuple[str, Terminal]]:
    """Yield each game's name and its ``Terminal``."""
    return ((game, game_terminal(game)) for game in GAMES)


def run_program(verb: str, game: str, arguments: Sequence[str]) -> None:
    """Start one of the game's programs; if there are several, the first argument selects one. Raises CommandError."""
    programs = {one.name: one for one in game_terminal(game).programs if one.verb == verb}
    if not programs:
        games = [one for one, added in all_terminals() if any(program.verb == verb for program in added.programs)]
        raise CommandError(f"{verb} does not support {game}. Choose from {', '.join(games)}.", code="no_program")
    name, rest = (arguments[0], arguments[1:]) if arguments and arguments[0] in programs else ("", arguments)
    if not name and len(programs) > 1:
        raise CommandError(
            f"Choose a program: {', '.join(f'{verb} {game} {one}' for one in programs)}.", code="program_missing"
        )
    program = programs[name or next(iter(programs))]
    try:
        import_module(program.module).main(rest)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("arena", "bots"):
            raise
        raise CommandError(
            f"This command needs {error.name}. In a checkout of the arena, run: make training", code="library_missing"
        ) from None
