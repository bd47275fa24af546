"""``python -m bots replay``: steps through a record or a position, or asks a bot in it once more."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena.core.plain_text import one_line, plain_text
from arena.core.referee import position
from arena.core.referee.clock import SystemClock
from arena.core.referee.position import Observed, Position, PositionError
from arena.core.referee.record import Record, RecordError, load
from arena.core.referee.rehearsal import Rehearsed, rehearse
from arena.core.referee.replay import replay, seen_turns, verify
from arena.games.base import Audience, Json
from arena.games.registry import GAMES
from bots.cli.errors import CommandError
from bots.cli.explain import explain, printed
from bots.cli.locate import LocatedBot
from bots.cli.progress import Progress
from bots.cli.saving import save
from bots.cli.seating import Seating
from bots.cli.terminal import draw, terminal

KEYS = "Enter: next, b: back, a number: that turn, e: end, q: quit"


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """What the command line says. ``seat``: a number from 0 or a colour; ``only``: without the turns before."""

    file: Path
    turn: int | None
    seat: str | None
    state: Path | None
    only: bool
    limit: float | None


def read(path: Path) -> Record | Position:
    """The record or the position in a file, whichever it is; raises CommandError."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise CommandError(f"There is no file {path}.") from None
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        if not data.lstrip().startswith(b"{"):
            return _verified(load(data))
        raw = json.loads(data)
        if raw.get("format") == position.FORMAT:
            return Position.from_json(raw, GAMES)
        return _verified(Record.from_json(raw))
    except (RecordError, PositionError, ValueError, RecursionError) as error:
        raise CommandError(f"{path} is neither a match record nor a position: {error}") from None


def _verified(found: Record) -> Record:
    problems = verify(found, GAMES)
    if problems:
        raise RecordError(problems[0])
    return found


def find_position(found: Record | Position, options: ReplayOptions) -> Position:
    """The position that is meant: that of the file, or of a turn of its match, by default of its first fault."""
    if isinstance(found, Position):
        if options.turn is not None or options.seat is not None:
            raise CommandError("A position is one turn of one seat already: leave out --turn and --seat.")
        return found
    seat = None if options.seat is None else seat_number(options.seat, found)
    turn = options.turn
    if turn is None:
        fault = position.first_fault(found, seat)
        if fault is None:
            raise CommandError("No fault is recorded: name the turn with --turn NUMBER.")
        turn, seat = fault
    if seat is None:
        asked = [move.seat for move in found.turns[turn - 1].moves] if 1 <= turn <= len(found.turns) else []
        if len(asked) > 1:
            raise CommandError(f"Several seats moved in turn {turn}: name one with --seat NUMBER.")
        seat = asked[0] if asked else 0
    try:
        return position.cut(found, turn, seat)
    except PositionError as error:
        raise CommandError(str(error)) from None


def seat_number(text: str, found: Record) -> int:
    """The seat that a number or a colour names; raises CommandError."""
    colors = GAMES[found.game].colors
    if text.upper() in colors:
        return colors.index(text.upper())
    if text.isdigit() and int(text) < len(found.seats):
        return int(text)
    known = f"0 to {len(found.seats) - 1}" + (f" or {', '.join(colors)}" if colors else "")
    raise CommandError(f"There is no seat {text}: the seats are {known}.")


def turns_of(found: Record | Position) -> tuple[str, list[str], list[dict[str, Json]]]:
    """The game, the names of the seats and all turns with their views, turn 0 first."""
    if isinstance(found, Record):
        return found.game, [one_line(seat.name) for seat in found.seats], replay(found, GAMES)
    turns = list(seen_turns(found.start(GAMES), found.recorded_turns(), Audience.EVERYBODY))
    return found.game, list(map(one_line, found.seats)), turns


def step(found: Record | Position, ask: Callable[[], str] | None) -> None:
    """Print turn after turn; ``ask`` reads a line from the person after each, None prints all."""
    game, names, turns = turns_of(found)
    print(f"{game}: {', '.join(names)}")
    drawn = [draw(game, turn, names) for turn in turns]
    if ask is None:
        print("\n".join(drawn))
    else:
        _step_by_step(drawn, ask)
    print(_ending(found))


def _step_by_step(drawn: Sequence[str], ask: Callable[[], str]) -> None:
    print(KEYS)
    at = 0
    while True:
        print(drawn[at])
        if at == len(drawn) - 1:
            print("That was the last turn.")
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


def _ending(found: Record | Position) -> str:
    if isinstance(found, Record):
        outcome = found.outcome
        pairs = zip(found.seats, outcome.points, strict=True)
        return f"{outcome.termination.value}: " + ", ".join(
            f"{one_line(seat.name)} {points:g}" for seat, points in pairs
        )
    asked = f"Asked in turn {found.turn}: {one_line(found.seats[found.seat])} (seat {found.seat})."
    return "\n".join([asked, *(map(plain_text, _observed(found.observed)) if found.observed else ())])


def _observed(observed: Observed) -> list[str]:
    lines = list(observed.refused)
    if observed.fault is None:
        lines.append(f"It played {json.dumps(observed.move)}.")
    else:
        fault = observed.fault.value
        lines.append(f"{fault}: {observed.message}" if observed.message else f"Its fault: {fault}.")
    return [*lines, observed.traceback.rstrip()] if observed.traceback else lines


def ask_again(bot: LocatedBot, asked: Position, options: ReplayOptions, seat: Seating) -> bool:
    """Ask the bot in the position and print what comes of it; whether the referee takes its first answer."""
    if options.only and terminal(asked.game).needs_history:
        raise CommandError(f"--only is not for {asked.game}: its bots are told only what is new in each turn.")
    limits = asked.match_limits()
    if options.limit is not None:
        limits = replace(limits, move_seconds=options.limit)
    clock = SystemClock()
    progress = Progress(sys.stderr, asked.turn, clock.now)
    done = rehearse(
        asked,
        GAMES,
        seat(bot.folder),
        clock,
        limits,
        lambda: False,
        earlier=not options.only,
        on_turn=lambda number: progress.show(number - 1, "asking for the turns before"),
    )
    progress.clear()
    _show_observed(asked)
    _show_done(bot.name, asked, done)
    return done.diagnosis is None and not done.refused


def _show_observed(asked: Position) -> None:
    game, names, turns = turns_of(asked)
    print(draw(game, turns[-1], names))
    print(_ending(asked))


def _show_done(name: str, asked: Position, done: Rehearsed) -> None:
    print(f"--- {name} now ---")
    for text in done.refused:
        print(f"answered {text}")
    if done.diagnosis:
        print(explain(name, done.diagnosis))
        print("The referee does not take it: the seat is lost.")
        if 0 < done.turn < asked.turn:
            print(f"It did not come to turn {asked.turn}; --only asks for that turn alone, where the game permits.")
    elif done.turn == asked.turn:
        print(f"answered {json.dumps(done.move)} in {done.spent.charged:.3f} s. The referee takes it{_late(done)}.")
    else:
        print("It starts, and nobody asks it for a move here.")
    if done.differed:
        print(f"In {done.differed} of {done.asked} turns before, it answered otherwise than in the match.")
    log = printed(name, done.log)
    if log:
        print(log)


def _late(done: Rehearsed) -> str:
    return ", but not what it answered before" if done.refused else ""


def save_state(asked: Position, path: Path) -> None:
    """Write the position; raises CommandError."""
    save(asked.to_json(), path)
    print(f"Wrote {path}. Try: python -m bots replay {path} BOT")
