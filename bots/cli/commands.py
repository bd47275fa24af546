"""Dispatch the commands of ``python -m bots``; without a command, print the help.

Exit status: 0 success; 1 a bot failed; 2 invalid usage or refused request; 3 the local arena failed; 130 interrupted by
Ctrl-C; 141 broken pipe.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from contextlib import ExitStack

from arena.core.plain_text import plain_text
from arena.core.referee.faults import RefereeFailure
from arena.core.referee.position import Position
from arena.core.referee.record import Record
from arena.core.sandbox.errors import SandboxError
from arena.games.base import SettingsError
from bots.cli.arguments import VERBS, build_parser
from bots.cli.check import CheckOptions, check_bot
from bots.cli.errors import CommandError, UploadError
from bots.cli.locate import house_bots, locate, locate_all
from bots.cli.new import write_example
from bots.cli.play import PlayOptions, play_series
from bots.cli.remote_arguments import REMOTE
from bots.cli.replay import (
    ReplayOptions,
    find_position,
    print_turns,
    read_record_or_position,
    repeat_request,
    save_position,
    seat_number,
)
from bots.cli.rerun import RerunOptions, rerun_bot
from bots.cli.seating import create_seating
from bots.cli.terminal import all_terminals, run_program
from bots.cli.workflow import write_workflow

OK, BOT_FAILED, USAGE, ARENA_FAILED, STOPPED, UNREAD = 0, 1, 2, 3, 130, 141
_MOVE_SECONDS = 60.0


def main(arguments: Sequence[str]) -> int:
    """Run one command and return the exit status. Raises SystemExit as argparse does."""
    options = build_parser().parse_args(arguments)
    if options.command is None:
        build_parser().print_help()
        return OK
    try:
        with ExitStack() as stack:
            return OK if _run(options, stack) else BOT_FAILED
    except SettingsError as error:
        text = f"--set {plain_text(error.field)}: {plain_text(str(error))} [{error.message.code}]"
        print(f"python -m bots: {text}", file=sys.stderr)
        return USAGE
    except CommandError as error:
        print(f"python -m bots: {plain_text(str(error))} [{error.code}]", file=sys.stderr)
        return USAGE
    except BrokenPipeError:  # the reader has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # otherwise the final flush fails
        return UNREAD
    except (RefereeFailure, SandboxError, OSError) as error:
        print(f"python -m bots: the local arena failed: {plain_text(str(error))}", file=sys.stderr)
        return ARENA_FAILED
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return STOPPED


def _run(options: argparse.Namespace, stack: ExitStack) -> bool:
    if options.command in VERBS:
        run_program(options.command, options.game, options.rest)
        return True
    if options.command in REMOTE:
        from bots.cli.remote.commands import run  # slow to import

        return run(options, stack)
    own = {command.name: command.run for _, added in all_terminals() for command in added.commands}
    return {**own, **_COMMANDS}[options.command](options, stack)


def _play(options: argparse.Namespace, stack: ExitStack) -> bool:
    wanted = PlayOptions(
        options.game,
        _parse_settings(options.set),
        options.games,
        options.seed,
        options.limit or _MOVE_SECONDS,
        options.opening_moves,
        options.record,
        options.watch,
        options.pace,
        options.log,
        options.sprt,
        options.elo,
    )
    bots = locate_all(options.bots, options.game, stack)
    return play_series(bots, wanted, create_seating(options.jail, options.game, stack))


def _check(options: argparse.Namespace, stack: ExitStack) -> bool:
    try:
        bot = locate(options.bot, options.game, stack)
    except UploadError as refused:
        print(f"failed  upload  {refused} [{refused.code}]")
        return False
    wanted = CheckOptions(options.game, options.limit or _MOVE_SECONDS, options.record)
    return check_bot(bot, wanted, create_seating(options.jail, options.game, stack), stack)


def _replay(options: argparse.Namespace, stack: ExitStack) -> bool:
    wanted = ReplayOptions(options.file, options.turn, options.seat, options.state, options.only, options.limit)
    found = read_record_or_position(options.file)
    if options.rerun:
        return _rerun(options, found, stack)
    if options.json:
        raise CommandError("--json requires --rerun. Add --rerun, or remove --json.", code="rerun_missing")
    if options.bot is None and options.state is None:
        print_turns(found, input if sys.stdin.isatty() and sys.stdout.isatty() else None)
        return True
    position = find_position(found, wanted)
    if options.state:
        save_position(position, options.state)
    if options.bot is None:
        return True
    bot = locate(options.bot, position.game, stack)
    return repeat_request(bot, position, wanted, create_seating(options.jail, position.game, stack))


def _rerun(options: argparse.Namespace, found: Record | Position, stack: ExitStack) -> bool:
    if options.bot is None:
        raise CommandError("--rerun needs a bot: add it after the record.", code="bot_missing")
    if options.turn is not None or options.only or options.state:
        raise CommandError("--rerun replays the whole match. Remove --turn, --only and --state.", code="whole_match")
    if isinstance(found, Position):
        raise CommandError(
            "--rerun needs a match record, not a position. Download the record from the match page.", code="no_record"
        )
    seat = None if options.seat is None else seat_number(options.seat, found)
    bot = locate(options.bot, found.game, stack)
    wanted = RerunOptions(seat, options.limit, options.json)
    return rerun_bot(bot, found, wanted, create_seating(options.jail, found.game, stack))


def _new(options: argparse.Namespace, stack: ExitStack) -> bool:
    target = write_example(options.game, options.file, options.script)
    if options.workflow:
        print(f"Wrote {write_workflow(options.game, target)}. Add the secret ARENA_TOKEN to the repository.")
    print(f"Wrote {target}. Try: python -m bots check {target} --game {options.game}")
    return True


def _list_house_bots(options: argparse.Namespace, stack: ExitStack) -> bool:
    print("\n".join(f"house:{name}" for name in house_bots(options.game)))
    return True


_COMMANDS = {
    "play": _play,
    "check": _check,
    "replay": _replay,
    "new": _new,
    "house": _list_house_bots,
}


def _parse_settings(pairs: Sequence[str]) -> dict[str, int | str]:
    """Parse ``NAME=VALUE`` pairs; the game validates the names."""
    settings: dict[str, int | str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise CommandError(f"--set {name}: Expected NAME=VALUE.", code="settings.syntax")
        settings[name] = int(value) if re.fullmatch("-?[0-9]{1,18}", value) else value
    return settings
