"""What can be typed after ``python -m bots``."""

from __future__ import annotations

import argparse
from pathlib import Path

from arena.core.ranking.version_test import Gain
from arena.games.registry import GAMES
from bots.cli.new import scripts
from bots.cli.remote_arguments import add_remote
from bots.cli.schedule import OPENING_MOVES
from bots.cli.terminal import all_terminals

# Of programs that games bring: see ``terminal.Program``.
VERBS = {
    "train": "learn what a game's bots ship",
    "evaluate": "measure how strong a game's bots are",
    "solve": "compute the best play of a game",
}

_BOT = "a .py or .zip file, a folder with main.py, or house:NAME"
_FILE = "a .py or .zip file or a folder with main.py"


def parser() -> argparse.ArgumentParser:
    """All commands."""
    top = argparse.ArgumentParser(
        prog="python -m bots",
        description="Play, check and start bots on this machine by the arena's own rules, and submit them to an arena.",
        epilog="Exit status: 0 all went well; 1 a bot failed; 2 the command cannot be carried out; "
        "3 the local arena itself failed; 130 stopped.",
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    _add_play(commands.add_parser("play", help="play matches between bots"))
    _add_check(commands.add_parser("check", help="check a bot as an upload is checked"))
    _add_replay(commands.add_parser("replay", help="step through a match, or ask a bot again where one failed"))
    one = commands.add_parser("new", help="write a bot to start from")
    _add_game(one)
    one.add_argument("file", nargs="?", type=Path, metavar="FILE", help="where to (GAME_bot.py)")
    examples = "; ".join(f"{game}: {', '.join(found)}" for game in GAMES if (found := scripts(game)))
    one.add_argument("--workflow", action="store_true", help="write .github/workflows/arena.yml, which submits it")
    one.add_argument("--script", metavar="NAME", help=f"one as for another site ({examples})")
    _add_game(commands.add_parser("house", help="list the house bots of a game"))
    add_remote(commands, game_name)
    _add_games_own(commands)
    return top


def _add_games_own(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """What single games add: commands, and programs that train, evaluate or solve."""
    programs = [(game, program) for game, added in all_terminals() for program in added.programs]
    for verb, what in VERBS.items():
        listed = ", ".join(f"{game} {program.name}" for game, program in programs if program.verb == verb)
        if listed:
            one = commands.add_parser(verb, help=f"{what}: {listed}")
            _add_game(one)
            one.add_argument("rest", nargs=argparse.REMAINDER, metavar="...", help="which of them, and its options")
    for _, added in all_terminals():
        for command in added.commands:
            command.add_arguments(commands.add_parser(command.name, help=command.help))


def _add_play(one: argparse.ArgumentParser) -> None:
    _add_game(one)
    one.add_argument("bots", nargs="+", metavar="BOT", help=f"{_BOT}{_engines()}")
    one.add_argument(
        "--games", type=_count, metavar="N", help="matches to play; seats rotate (1; with --sprt as many as it takes)"
    )
    one.add_argument(
        "--sprt",
        type=Gain,
        choices=list(Gain),
        nargs="?",
        const=Gain.LITTLE,
        metavar="GAIN",
        help="play until it is certain whether the first bot is better than the second by at least this much: "
        f"{', '.join(Gain)} (little)",
    )
    one.add_argument("--seed", type=_whole, default=0, metavar="S", help="seed of the first match and its bots (0)")
    one.add_argument(
        "--opening-moves",
        type=_opening_moves,
        metavar="N",
        help="moves from which a match begins, drawn by its seed; everybody plays each opening on every seat "
        f"(in a series {OPENING_MOVES} balanced ones as in tournaments, where the game has openings; 0 for one match)",
    )
    one.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="write the record as JSON; of several matches numbered files, or into a folder",
    )
    one.add_argument("--watch", action="store_true", help="show every turn")
    one.add_argument("--pace", type=_pace, metavar="SECONDS", help="least time between turns (0; 0.5 to watch)")
    _add_limit(one, "60")
    one.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the game, such as rounds=20"
    )
    one.add_argument("--log", action="store_true", help="show what the bots printed")
    _add_jail(one)


def _engines() -> str:
    found = (
        f'; {game}: or "{added.engines.prefix}:COMMAND", an engine' for game, added in all_terminals() if added.engines
    )
    return "".join(found)


def _add_check(one: argparse.ArgumentParser) -> None:
    one.add_argument("bot", metavar="FILE", help=_FILE)
    first = next(iter(GAMES))
    one.add_argument("--game", type=game_name, default=first, metavar="GAME", help=f"the game it plays ({first})")
    one.add_argument("--record", type=Path, metavar="FILE", help="write the record of its match as JSON")
    _add_limit(one, "60")
    _add_jail(one)


def _add_replay(one: argparse.ArgumentParser) -> None:
    one.add_argument("file", type=Path, metavar="FILE", help="a match record, or a position as the match page gives it")
    one.add_argument("bot", nargs="?", metavar="BOT", help=f"{_BOT}: ask it for its move there")
    one.add_argument("--turn", type=_count, metavar="N", help="the turn of a record (that of its first fault)")
    one.add_argument("--seat", metavar="SEAT", help="the seat of a record: a number from 0, or a colour")
    one.add_argument("--only", action="store_true", help="ask for this turn alone, not for those before it as well")
    one.add_argument("--state", type=Path, metavar="FILE", help="write the position as a file of its own")
    one.add_argument(
        "--rerun",
        action="store_true",
        help="play the bot through the whole record with its seeds, and say whether its moves are equal "
        "(exit status 0: equal, 1: different, 2: it cannot be told); --seat where its files are not those of a seat",
    )
    one.add_argument("--json", action="store_true", help="with --rerun: print JSON")
    _add_limit(one, "that of the match")
    _add_jail(one)


def _add_game(one: argparse.ArgumentParser) -> None:
    one.add_argument("game", type=game_name, metavar="GAME", help=", ".join(sorted(GAMES)))


def _add_limit(one: argparse.ArgumentParser, default: str) -> None:
    one.add_argument("--limit", type=seconds, metavar="SECONDS", help=f"time for one turn ({default})")


def _add_jail(one: argparse.ArgumentParser) -> None:
    one.add_argument("--jail", action="store_true", help="run the bots in the arena's jail (Linux)")


def game_name(text: str) -> str:
    name = text.lower().replace("-", "_")
    if name not in GAMES:
        raise argparse.ArgumentTypeError(f"there is no game {text}; there are {', '.join(sorted(GAMES))}")
    return name


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a whole number is expected, not {text}") from None


def _count(text: str) -> int:
    value = _whole(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"at least 1 is expected, not {text}")
    return value


def _opening_moves(text: str) -> int:
    value = _whole(text)
    if not 0 <= value <= 50:
        raise argparse.ArgumentTypeError(f"0 to 50 moves are expected, not {text}")
    return value


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a number of seconds is expected, not {text}") from None


def seconds(text: str) -> float:
    value = _number(text)
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"a positive number of seconds is expected, not {text}")
    return value


def _pace(text: str) -> float:
    return 0.0 if _number(text) == 0 else seconds(text)
