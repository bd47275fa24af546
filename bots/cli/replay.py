"""Implement ``python -m bots replay``: step through a match, or repeat one of its requests to a bot."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena.core.plain_text import one_line, plain_text
from arena.core.referee import position
from arena.core.referee.clock import SystemClock
from arena.core.referee.position import ObservedAnswer, Position, PositionError
from arena.core.referee.record import Record, RecordError, load
from arena.core.referee.record_messages import with_next_step
from arena.core.referee.rehearsal import RehearsalResult, rehearse
from arena.core.referee.replay import replay, verify, visible_turns
from arena.games.base import Audience, Json
from arena.games.registry import GAMES
from bots.cli.errors import CommandError
from bots.cli.explain import describe_fault, format_output
from bots.cli.locate import LocatedBot
from bots.cli.progress import Progress
from bots.cli.record_files import write_json
from bots.cli.seating import Seating
from bots.cli.terminal import draw_turn, game_terminal

KEYS = "Enter: next, b: back, number: go to turn, e: end, q: quit"


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """The command-line options.

    ``seat``: a number from 0, or a colour. ``only``: whether to skip the earlier turns.
    """

    file: Path
    turn: int | None
    seat: str | None
    state: Path | None
    only: bool
    limit: float | None


def read_record_or_position(path: Path) -> Record | Position:
    """Read a record or a position from a file. Raises CommandError."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise CommandError(f"File not found: {path}. Check the path.", code="file_missing") from None
    except OSError as error:
        raise CommandError(
            f"Cannot read {path}: {error.strerror}. Choose another file.", code="file_unreadable"
        ) from None
    try:
        if not data.lstrip().startswith(b"{"):
            return _verify_record(load(data))
        raw = json.loads(data)
        if raw.get("format") == position.FORMAT:
            return Position.from_json(raw, GAMES)
        if "version" in raw:
            return _verify_record(Record.from_json(raw))
    except RecordError as error:
        raise CommandError(f"{path}: {with_next_step(error.message)}", code="invalid_record") from None
    except PositionError as error:
        raise CommandError(f"{path}: {error}", code="invalid_record") from None
    except (ValueError, RecursionError) as error:
        raise CommandError(
            f"{path} is not valid JSON: {error}. Download the file again.", code="invalid_json"
        ) from None
    raise CommandError(
        f"{path} is neither a match record nor a position. Download one of them from the match page.", code="no_record"
    )


def _verify_record(found: Record) -> Record:
    problems = verify(found, GAMES)
    if problems:
        raise RecordError(problems[0])
    return found


def find_position(found: Record | Position, options: ReplayOptions) -> Position:
    """Return the file's position, or the position at the chosen turn of the recorded match.

    If no turn is chosen, the turn of the first fault is used. Raises CommandError.
    """
    if isinstance(found, Position):
        if options.turn is not None or options.seat is not None:
            raise CommandError("The file contains a single position. Remove --turn and --seat.", code="turn_given")
        return found
    seat = None if options.seat is None else seat_number(options.seat, found)
    turn = options.turn
    if turn is None:
        fault = position.first_fault(found, seat)
        if fault is None:
            raise CommandError("The record contains no fault. Choose a turn with --turn NUMBER.", code="no_fault")
        turn, seat = fault
    if seat is None:
        seats = [move.seat for move in found.turns[turn - 1].moves] if 1 <= turn <= len(found.turns) else []
        if len(seats) > 1:
            raise CommandError(
                f"Several seats moved on turn {turn}. Choose one with --seat NUMBER.", code="seat_missing"
            )
        seat = seats[0] if seats else 0
    try:
        return position.position_at(found, turn, seat)
    except PositionError as error:
        raise CommandError(str(error), code="invalid_position") from None


def seat_number(text: str, found: Record) -> int:
    """Return the seat with this number or colour. Raises CommandError."""
    colors = GAMES[found.game].colors
    if text.upper() in colors:
        return colors.index(text.upper())
    if text.isdigit() and int(text) < len(found.seats):
        return int(text)
    known = f"0 to {len(found.seats) - 1}" + (f" or {', '.join(colors)}" if colors else "")
    raise CommandError(f"There is no seat {text}. The seats are {known}.", code="no_seat")


def visible_match(found: Record | Position) -> tuple[str, list[str], list[dict[str, Json]]]:
    """Return the game, the names of the seats, and every turn as spectators see it, starting at turn 0."""
    if isinstance(found, Record):
        return found.game, [one_line(seat.name) for seat in found.seats], replay(found, GAMES)
    turns = list(visible_turns(found.start(GAMES), found.recorded_turns(), Audience.EVERYBODY))
    return found.game, list(map(one_line, found.seats)), turns


def print_turns(found: Record | Position, ask: Callable[[], str] | None) -> None:
    """Print the turns. ``ask`` reads a command after each turn; if it is None, all turns are printed together."""
    game, names, turns = visible_match(found)
    print(f"{game}: {', '.join(names)}")
    drawn = [draw_turn(game, turn, names) for turn in turns]
    if ask is None:
        print("\n".join(drawn))
    else:
        _browse_turns(drawn, ask)
    print(_format_ending(found))


def _browse_turns(drawn: Sequence[str], ask: Callable[[], str]) -> None:
    print(KEYS)
    at = 0
    while True:
        print(drawn[at])
        if at == len(drawn) - 1:
            print("Last turn.")
        answer = ask().strip().lower()
        if answer == "q" or (not answer and at == len(drawn) - 1):
            return
        if answer == "b":
            at -= 1
        elif answer == "e":
            at = len(drawn) - 1
        elif answer.isdigit():
            at = int(answer)
        elif answer:
            print(KEYS)
            continue
        else:
            at += 1
        at = min(max(at, 0), len(drawn) - 1)


def _format_ending(found: Record | Position) -> str:
    if isinstance(found, Record):
        outcome = found.outcome
        pairs = zip(found.seats, outcome.points, strict=True)
        return f"{outcome.termination.value}: " + ", ".join(
            f"{one_line(seat.name)} {points:g}" for seat, points in pairs
        )
    request = f"Request on turn {found.turn}: {one_line(found.seats[found.seat])} (seat {found.seat})."
    return "\n".join([request, *(map(plain_text, _format_observed(found.observed)) if found.observed else ())])


def _format_observed(observed: ObservedAnswer) -> list[str]:
    lines = list(observed.refused)
    if observed.fault is None:
        lines.append(f"Move: {json.dumps(observed.move)}.")
    else:
        fault = observed.fault.value
        lines.append(f"{fault}: {observed.message}" if observed.message else f"Fault: {fault}.")
    return [*lines, observed.traceback.rstrip()] if observed.traceback else lines


def repeat_request(bot: LocatedBot, requested: Position, options: ReplayOptions, seat: Seating) -> bool:
    """Repeat the position's request to the bot, and print the result.

    Return whether the referee accepts the first answer.
    """
    if options.only and game_terminal(requested.game).needs_history:
        raise CommandError(
            f"--only does not work for {requested.game}: its bots receive only the changes in each turn. "
            "Remove --only.",
            code="needs_history",
        )
    limits = requested.match_limits()
    if options.limit is not None:
        limits = replace(limits, move_seconds=options.limit)
    clock = SystemClock()
    progress = Progress(sys.stderr, requested.turn, clock.now)
    done = rehearse(
        requested,
        GAMES,
        seat(bot.folder),
        clock,
        limits,
        lambda: False,
        earlier=not options.only,
        on_turn=lambda number: progress.show(number - 1, "repeating earlier turns"),
    )
    progress.clear()
    _print_position(requested)
    _print_answer(bot.name, requested, done)
    return done.diagnosis is None and not done.rejected


def _print_position(requested: Position) -> None:
    game, names, turns = visible_match(requested)
    print(draw_turn(game, turns[-1], names))
    print(_format_ending(requested))


def _print_answer(name: str, requested: Position, done: RehearsalResult) -> None:
    print(f"--- {name} now ---")
    for text in done.rejected:
        print(f"answered {text}")
    if done.diagnosis:
        print(describe_fault(name, done.diagnosis))
        print("Because of this fault, the bot forfeits.")
        if 0 < done.turn < requested.turn:
            print(
                f"The bot did not reach turn {requested.turn}. To request only that turn, add --only (if the game "
                "allows it)."
            )
    elif done.turn == requested.turn:
        print(
            f"answered {json.dumps(done.move)} in {done.spent.charged:.3f} s. "
            f"The referee accepts it{_rejection_note(done)}."
        )
    else:
        print("The bot has started. It is not asked for a move in this position.")
    if done.differed:
        print(f"The bot's answers differ from the match in {done.differed} of {done.repeated} earlier turns.")
    log = format_output(name, done.log)
    if log:
        print(log)


def _rejection_note(done: RehearsalResult) -> str:
    return ", but rejected earlier answers" if done.rejected else ""


def save_position(requested: Position, path: Path) -> None:
    """Write the position to a file. Raises CommandError."""
    write_json(requested.to_json(), path)
    print(f"Wrote {path}. Try: python -m bots replay {path} BOT")
