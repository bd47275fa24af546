"""What can be typed after the commands that talk to a running arena."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

REMOTE = ("login", "submit", "status", "logs", "matches", "download", "enter")


def add_remote(commands: argparse._SubParsersAction[argparse.ArgumentParser], game_name: Callable[[str], str]) -> None:
    """``game_name``: reads the name of a game."""

    def add(name: str, help_: str) -> argparse.ArgumentParser:
        one = commands.add_parser(name, help=help_)
        one.add_argument("--json", action="store_true", help="print JSON")
        return one

    def game(one: argparse.ArgumentParser, text: str = "of two bots with one name, that of this game") -> None:
        one.add_argument("--game", type=game_name, metavar="GAME", help=text)

    def bot(one: argparse.ArgumentParser, **how: Any) -> None:
        one.add_argument("bot", metavar="BOT", help="the name or number of a bot of yours", **how)
        game(one)

    login = add("login", "sign in to an arena with a token of your settings there")
    login.add_argument("url", nargs="?", metavar="URL", help="its address (ARENA_URL)")
    submit = add("submit", "upload a bot to the arena and wait for its check")
    submit.add_argument("file", type=Path, metavar="FILE", help="a .py or .zip file or a folder with main.py")
    submit.add_argument("--name", metavar="NAME", help="the bot's name (that of the file)")
    game(submit, "the game it plays; needed to create it")
    submit.add_argument("--no-wait", action="store_true", help="do not wait for the check")
    bot(add("status", "list your bots, or the versions of one"), nargs="?")
    logs = add("logs", "show what a bot printed and what it did wrong, in its check or a match")
    bot(logs, nargs="?")
    logs.add_argument("--match", type=int, metavar="NUMBER", help="in this match")
    logs.add_argument("--seat", type=int, metavar="SEAT", help="of this seat, from 0 (the first of yours)")
    matches = add("matches", "list the matches of your bots, the newest first")
    bot(matches, nargs="?")
    matches.add_argument("--limit", type=int, default=20, metavar="N", help="at most so many (20)")
    download = add("download", "download the newest version of a bot, or the record of a match")
    bot(download, nargs="?")
    download.add_argument("--match", type=int, metavar="NUMBER", help="the record of this match")
    download.add_argument("--output", type=Path, metavar="FILE", help="where to")
    enter = add("enter", "enter a tournament with a bot of yours")
    enter.add_argument("tournament", type=int, metavar="TOURNAMENT", help="its number")
    enter.add_argument("bot", metavar="BOT", help="the name or number of a bot of yours")
