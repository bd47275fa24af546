"""Command-line arguments of ``python -m bots``."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from arena.core.ranking.sprt import EloModel
from arena.core.ranking.version_test import Gain
from arena.games.registry import GAMES
from bots.cli.new import example_scripts
from bots.cli.remote_arguments import add_remote_commands
from bots.cli.terminal import all_terminals
from bots.cli.values import parse_choice, parse_count, parse_integer

# Commands that start a game's own programs: see ``terminal.Program``.
VERBS = {
    "train": "train a game's bots",
    "evaluate": "measure the strength of a game's bots",
    "solve": "solve a game exactly",
}

_BOT = "a .py or .zip file, a folder with main.py, or house:NAME"
_FILE = "a .py or .zip file or a folder with main.py"


class CommandParser(argparse.ArgumentParser):
    """The parser of one command.

    ``intermixed``: whether options can appear between positional arguments, as in ``new GAME --script NAME FILE``. By
    itself, argparse supports this only from Python 3.13 on, and never between the bots of a match.
    """

    def __init__(self, *, intermixed: bool = False, **how: Any) -> None:
        super().__init__(**how)
        self._intermixed = intermixed

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if not self._intermixed:
            return super().parse_known_args(args, namespace)
        self._intermixed = False  # because parse_known_intermixed_args calls this method
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._intermixed = True


def build_parser() -> argparse.ArgumentParser:
    """Build the parser with all commands."""
    top = argparse.ArgumentParser(
        prog="python -m bots",
        description="Create, check and run bots locally with the arena's own rules, and submit them to an arena.",
        epilog="Exit status: 0 success; 1 a bot failed; 2 invalid usage or refused request; "
        "3 the local arena failed; 130 interrupted.",
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title="commands", parser_class=CommandParser)
    _add_play(commands.add_parser("play", help="play matches between bots", intermixed=True))
    _add_check(commands.add_parser("check", help="run the upload check on a bot"))
    replay = "step through a match, or repeat the request on which a bot failed"
    _add_replay(commands.add_parser("replay", help=replay, intermixed=True))
    _add_new(commands.add_parser("new", help="write a starter bot", intermixed=True))
    _add_game(commands.add_parser("house", help="list the house bots of a game"))
    add_remote_commands(commands, parse_game_name)
    _add_game_commands(commands)
    return top


def _add_game_commands(commands: argparse._SubParsersAction[CommandParser]) -> None:
    """Add the commands that games define, and the games' programs for training, evaluating and solving."""
    programs = [(game, program) for game, added in all_terminals() for program in added.programs]
    for verb, what in VERBS.items():
        listed = ", ".join(f"{game} {program.name}" for game, program in programs if program.verb == verb)
        if listed:
            one = commands.add_parser(verb, help=f"{what}: {listed}")
            _add_game(one)
            one.add_argument(
                "rest",
                nargs=argparse.REMAINDER,
                metavar="...",
                help="program name, if the game has several, and its options",
            )
    for _, added in all_terminals():
        for command in added.commands:
            command.add_arguments(commands.add_parser(command.name, help=command.help))


def _add_play(one: argparse.ArgumentParser) -> None:
    _add_game(one)
    one.add_argument("bots", nargs="+", metavar="BOT", help=f"{_BOT}{_engine_help()}")
    _add_series_options(one)
    one.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="set a game setting, such as rounds=20"
    )
    _add_limit(one, "default: 60")
    _add_jail(one)
    one.add_argument("--watch", action="store_true", help="show every turn")
    one.add_argument(
        "--pace",
        type=_parse_pace,
        metavar="SECONDS",
        help="spectator delay: minimum time per turn, in seconds (default: 0; with --watch: 0.5)",
    )
    one.add_argument("--log", action="store_true", help="show the bots' output")
    one.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="write the record as JSON; for several matches, to numbered files or a folder",
    )


def _add_series_options(one: argparse.ArgumentParser) -> None:
    """Add the options that determine how many matches are played, with which random seeds and openings."""
    one.add_argument(
        "--matches",
        dest="games",
        type=parse_count,
        metavar="N",
        help="number of matches; seats rotate (default: 1; with --sprt: as many as needed)",
    )
    one.add_argument("--games", type=parse_count, help=argparse.SUPPRESS)  # the former name of --matches
    one.add_argument(
        "--sprt",
        type=partial(parse_choice, Gain, "gain"),
        nargs="?",
        const=Gain.LITTLE,
        metavar="GAIN",
        help="sequential test: play until it is decided whether the first bot is better than the second by at least "
        f"this much: {', '.join(Gain)} (default: little)",
    )
    one.add_argument(
        "--elo",
        type=partial(parse_choice, EloModel, "Elo model"),
        default=EloModel.LOGISTIC,
        metavar="MODEL",
        help=f"with --sprt: the scale of the gain, {' or '.join(EloModel)} Elo (default: logistic)",
    )
    one.add_argument(
        "--seed",
        type=parse_integer,
        default=0,
        metavar="S",
        help="random seed for the first match and its bots (default: 0)",
    )
    one.add_argument(
        "--opening-moves",
        type=_parse_opening_moves,
        metavar="N",
        help="number of opening moves, drawn from the match's seed; bots swap seats before the next opening "
        "(default: 0; for several matches in a game with openings: balanced openings, as in tournaments)",
    )


def _engine_help() -> str:
    found = (
        f'; {game}: or "{added.engines.prefix}:COMMAND" for an external engine'
        for game, added in all_terminals()
        if added.engines
    )
    return "".join(found)


def _add_check(one: argparse.ArgumentParser) -> None:
    one.add_argument("bot", metavar="FILE", help=_FILE)
    first = next(iter(GAMES))
    one.add_argument(
        "--game", type=parse_game_name, default=first, metavar="GAME", help=f"the bot's game (default: {first})"
    )
    one.add_argument("--record", type=Path, metavar="FILE", help="write the record of the test match as JSON")
    _add_limit(one, "default: 60")
    _add_jail(one)


def _add_replay(one: argparse.ArgumentParser) -> None:
    one.add_argument(
        "file", type=Path, metavar="FILE", help="a match record, or a position downloaded from a match page"
    )
    one.add_argument("bot", nargs="?", metavar="BOT", help=f"{_BOT}: repeat the request for this bot")
    one.add_argument("--turn", type=parse_count, metavar="N", help="turn in the record (default: the first fault)")
    one.add_argument("--seat", metavar="SEAT", help="seat in the record: a number from 0, or a colour")
    one.add_argument("--only", action="store_true", help="request only this turn, without the turns before it")
    one.add_argument("--state", type=Path, metavar="FILE", help="write the position to a file")
    one.add_argument(
        "--rerun",
        action="store_true",
        help="run the bot through its whole match again, with the same random seeds, and compare its moves "
        "(exit status 0: same, 1: different, 2: unknown); needs --seat if the bot's files match no seat in the record",
    )
    one.add_argument("--json", action="store_true", help="with --rerun: print JSON")
    _add_limit(one, "default: the match's limit")
    _add_jail(one)


def _add_new(one: argparse.ArgumentParser) -> None:
    _add_game(one)
    one.add_argument("file", nargs="?", type=Path, metavar="FILE", help="output file (default: GAME_bot.py)")
    examples = "; ".join(f"{game}: {', '.join(found)}" for game in GAMES if (found := example_scripts(game)))
    one.add_argument(
        "--workflow", action="store_true", help="also write .github/workflows/arena.yml, which submits the bot"
    )
    one.add_argument("--script", metavar="NAME", help=f"write a script for another site instead ({examples})")


def _add_game(one: argparse.ArgumentParser) -> None:
    one.add_argument("game", type=parse_game_name, metavar="GAME", help=", ".join(sorted(GAMES)))


def _add_limit(one: argparse.ArgumentParser, default: str) -> None:
    one.add_argument("--limit", type=parse_seconds, metavar="SECONDS", help=f"time limit per turn ({default})")


def _add_jail(one: argparse.ArgumentParser) -> None:
    one.add_argument("--jail", action="store_true", help="run the bots in the sandbox (Linux)")


def parse_game_name(text: str) -> str:
    name = text.lower().replace("-", "_")
    if name not in GAMES:
        raise argparse.ArgumentTypeError(f"unknown game {text}; choose from {', '.join(sorted(GAMES))}")
    return name


def _parse_opening_moves(text: str) -> int:
    value = parse_integer(text)
    if not 0 <= value <= 50:
        raise argparse.ArgumentTypeError(f"expected 0 to 50 moves, not {text}")
    return value


def _parse_float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a number of seconds, not {text}") from None


def parse_seconds(text: str) -> float:
    value = _parse_float(text)
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"expected a positive number of seconds, not {text}")
    return value


def _parse_pace(text: str) -> float:
    return 0.0 if _parse_float(text) == 0 else parse_seconds(text)
