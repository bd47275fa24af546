"""Command-line arguments for the commands that connect to a running arena."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from bots.cli.values import parse_count, parse_integer, parse_page_number

ParserT = TypeVar("ParserT", bound=argparse.ArgumentParser)

REMOTE = ("login", "submit", "status", "logs", "matches", "download", "enter")


def add_remote_commands(commands: argparse._SubParsersAction[ParserT], game_name: Callable[[str], str]) -> None:
    """Add the commands that use a remote arena. ``game_name`` parses a game's name."""

    def add_command(name: str, help_: str) -> argparse.ArgumentParser:
        one = commands.add_parser(name, help=help_)
        one.add_argument("--json", action="store_true", help="print JSON")
        return one

    def add_game_option(
        one: argparse.ArgumentParser, text: str = "choose between bots of the same name by game"
    ) -> None:
        one.add_argument("--game", type=game_name, metavar="GAME", help=text)

    def add_bot_argument(one: argparse.ArgumentParser, **how: Any) -> None:
        one.add_argument("bot", metavar="BOT", help="name or number of one of your bots", **how)
        add_game_option(one)

    login = add_command("login", "sign in to an arena with a token from your settings")
    login.add_argument("url", nargs="?", metavar="URL", help="arena URL (default: ARENA_URL)")
    submit = add_command("submit", "upload a bot to the arena and wait for its check")
    submit.add_argument("file", type=Path, metavar="FILE", help="a .py or .zip file or a folder with main.py")
    submit.add_argument("--name", metavar="NAME", help="name of the bot (default: the file name)")
    add_game_option(submit, "the bot's game; required to create a bot")
    submit.add_argument("--no-wait", action="store_true", help="do not wait for the check")
    add_bot_argument(add_command("status", "list your bots, or the versions of one"), nargs="?")
    logs = add_command("logs", "show a bot's output and faults, in its check or in a match")
    add_bot_argument(logs, nargs="?")
    logs.add_argument("--match", type=parse_page_number, metavar="NUMBER", help="match to show instead of the check")
    logs.add_argument("--seat", type=parse_integer, metavar="SEAT", help="seat, from 0 (default: your first seat)")
    matches = add_command("matches", "list the matches of your bots, newest first")
    add_bot_argument(matches, nargs="?")
    matches.add_argument(
        "--limit", type=parse_count, default=20, metavar="N", help="maximum number of matches (default: 20)"
    )
    download = add_command("download", "download the newest version of a bot, or the record of a match")
    add_bot_argument(download, nargs="?")
    download.add_argument("--match", type=parse_page_number, metavar="NUMBER", help="download the record of this match")
    download.add_argument("--output", type=Path, metavar="FILE", help="output file")
    enter = add_command("enter", "enter a tournament with one of your bots")
    enter.add_argument(
        "tournament",
        type=parse_page_number,
        metavar="TOURNAMENT",
        help="number of the tournament, in the address of its page",
    )
    enter.add_argument("bot", metavar="BOT", help="name or number of one of your bots")
