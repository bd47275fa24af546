"""The commands and their arguments.

Exit status: 0 all went well; 1 a bot failed; 2 the command cannot be understood; 3 the local
arena itself failed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from arena.games import GAMES
from arena.games.base import SettingsError
from arena.referee.faults import RefereeFailure
from bots.cli.check import check
from bots.cli.locate import LocateError, house_bots, locate
from bots.cli.new import NewError, new
from bots.cli.play import PlayOptions, play

OK, BOT_FAILED, USAGE, ARENA_FAILED = 0, 1, 2, 3


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="python -m bots", description="Play, check and start bots on this machine, by the arena's own rules."
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    games = sorted(GAMES)

    one = commands.add_parser("play", help="play matches between bots")
    one.add_argument("game", choices=games, metavar="GAME", help=", ".join(games))
    one.add_argument("bots", nargs="+", metavar="BOT", help="a .py or .zip file, a folder with main.py, or house:NAME")
    one.add_argument("--games", type=_count, default=1, metavar="N", help="matches to play; seats rotate (1)")
    one.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the first match (0)")
    one.add_argument("--record", type=Path, metavar="FILE", help="write the match record as JSON, one file a match")
    one.add_argument("--limit", type=_seconds, default=60.0, metavar="SECONDS", help="time for one turn (60)")
    one.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the game, such as rounds=20"
    )
    one.add_argument("--log", action="store_true", help="show what the bots printed")

    one = commands.add_parser("check", help="check a bot as an upload is checked")
    one.add_argument("bot", metavar="FILE", help="a .py or .zip file or a folder with main.py")
    one.add_argument("--game", choices=games, default="reversi", help="the game it plays (reversi)")
    one.add_argument("--limit", type=_seconds, default=5.0, metavar="SECONDS", help="time for one turn (5)")

    one = commands.add_parser("new", help="write a bot to start from")
    one.add_argument("game", choices=games, metavar="GAME", help=", ".join(games))
    one.add_argument("file", nargs="?", type=Path, metavar="FILE", help="where to (GAME_bot.py)")

    one = commands.add_parser("house", help="list the house bots of a game")
    one.add_argument("game", choices=games, metavar="GAME", help=", ".join(games))
    return top


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return value


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError("a positive number of seconds")
    return value


def main(arguments: Sequence[str]) -> int:
    """Run one command; the exit status."""
    options = parser().parse_args(arguments)
    try:
        return _run(options)
    except (LocateError, NewError, SettingsError) as error:
        print(f"python -m bots: {error}", file=sys.stderr)
        return USAGE
    except (RefereeFailure, OSError) as error:
        print(f"python -m bots: the local arena failed: {error}", file=sys.stderr)
        return ARENA_FAILED
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def _run(options: argparse.Namespace) -> int:
    if options.command == "house":
        print("\n".join(f"house:{name}" for name in house_bots(options.game)))
        return OK
    if options.command == "new":
        target = new(options.game, options.file)
        print(f"Wrote {target}. Try: python -m bots check {target} --game {options.game}")
        return OK
    with ExitStack() as stack:
        if options.command == "check":
            passed = check(locate(options.bot, options.game, stack), options.game, options.limit, stack)
            return OK if passed else BOT_FAILED
        found = [locate(bot, options.game, stack) for bot in options.bots]
        wanted = PlayOptions(
            options.game,
            _settings(options.set),
            options.games,
            options.seed,
            options.limit,
            options.record,
            options.log,
        )
        return OK if play(found, wanted) else BOT_FAILED


def _settings(pairs: Sequence[str]) -> dict[str, int | str]:
    """``rounds=20`` as a setting; the game says whether it knows it."""
    settings: dict[str, int | str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise SettingsError(name, f"--set {pair}: expected NAME=VALUE")
        settings[name] = int(value) if value.lstrip("-").isdigit() else value
    return settings
