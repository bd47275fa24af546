"""Implement ``python -m bots replay --rerun``: rerun a bot in a recorded match and compare its moves."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from arena.core.plain_text import one_line
from arena.core.referee.clock import SystemClock
from arena.core.referee.record import Record, RecordError
from arena.core.referee.rerun import Difference, RerunResult, SeatAnswer, rerun
from arena.core.referee.spec import MatchLimits
from arena.games.base import Json
from arena.games.registry import GAMES
from bots.cli.errors import CommandError
from bots.cli.explain import describe_fault, format_output
from bots.cli.locate import LocatedBot
from bots.cli.progress import Progress
from bots.cli.seating import Seating

_WHY = (
    "The same files play the same moves unless they depend on the clock, threads, a source of randomness such as "
    "os.urandom, the iteration order of sets of objects, or the version of Python or a library."
)


@dataclass(frozen=True, slots=True)
class RerunOptions:
    """The command-line options. ``seat``: None selects all seats whose bot has the same content hash."""

    seat: int | None
    limit: float | None
    as_json: bool


def rerun_bot(bot: LocatedBot, record: Record, options: RerunOptions, seat: Seating) -> bool:
    """Rerun the bot and print the result; return whether all moves are the same.

    Raises CommandError, RefereeFailure.
    """
    seats = [options.seat] if options.seat is not None else find_seats(bot, record)
    found = [_rerun_one(bot, record, number, options, seat) for number in seats]
    if options.as_json:
        print(json.dumps(_as_json(bot, record, found), ensure_ascii=False, indent=1))
    else:
        for one in found:
            _print_rerun(bot, record, one)
        if any(not one.is_equal and _has_same_files(bot, record, one.seat) is not False for one in found):
            print(_WHY)
    return all(one.is_equal for one in found)


def find_seats(bot: LocatedBot, record: Record) -> list[int]:
    """Return the seats that this bot, identified by its content hash, had in the match.

    Raises CommandError if it had no seat.
    """
    found = [number for number, seat in enumerate(record.seats) if seat.sha256 and seat.sha256 == bot.sha256]
    if not found:
        why = "its files differ from every seat's" if bot.sha256 else "a folder has no content hash"
        raise CommandError(f"Cannot find {bot.name} in the match: {why}. Choose its seat with --seat.", code="no_seat")
    return found


def _rerun_one(bot: LocatedBot, record: Record, number: int, options: RerunOptions, seat: Seating) -> RerunResult:
    clock = SystemClock()
    progress = Progress(sys.stderr, len(record.turns), clock.now)
    try:
        return rerun(
            record,
            number,
            GAMES,
            seat(bot.folder),
            clock,
            _read_limits(record, options.limit),
            lambda: False,
            on_turn=lambda turn: progress.show(turn - 1, f"seat {number}"),
        )
    except RecordError as error:
        raise CommandError(f"Cannot rerun the match: {error}", code=error.message.code) from None
    finally:
        progress.clear()


def _read_limits(record: Record, limit: float | None) -> MatchLimits:
    limits = record.limits
    try:
        return MatchLimits(
            move_seconds=limit or limits["move_seconds"],
            start_seconds=limits["start_seconds"],
            illegal_answers=int(limits["illegal_answers"]),
        )
    except (KeyError, ValueError) as error:
        raise CommandError(
            f"The record has invalid limits: {error}. Download it again.", code="invalid_limits"
        ) from None


def _print_rerun(bot: LocatedBot, record: Record, found: RerunResult) -> None:
    name = f"seat {found.seat}, {one_line(record.seats[found.seat].name)}"
    if _has_same_files(bot, record, found.seat) is False:
        print(f"{name}: the bot's files differ from the files in the match.")
    if found.difference is None:
        print(f"{name}: all {found.turns} turns are the same.")
        return
    print(f"{name}: {_describe_difference(found.difference)}")
    if found.difference.diagnosis:
        print(describe_fault(bot.name, found.difference.diagnosis))
    if log := format_output(bot.name, found.log):
        print(log)


def _describe_difference(difference: Difference) -> str:
    before, now = _describe_answer(difference.recorded), _describe_answer(difference.now)
    return f"first difference on turn {difference.turn}: {before} in the match, {now} now."


def _describe_answer(answer: SeatAnswer) -> str:
    if answer.fault is None and answer.move is None:  # the fault occurred during bot startup
        return "no fault"
    what = answer.fault.value if answer.fault else json.dumps(answer.move)
    if not answer.rejected:
        return what
    return f"{what} after {answer.rejected} rejected answer{'s' if answer.rejected > 1 else ''}"


def _has_same_files(bot: LocatedBot, record: Record, seat: int) -> bool | None:
    """Return whether the bot and the seat have the same content hash; None if either hash is missing."""
    sha256 = record.seats[seat].sha256
    return bot.sha256 == sha256 if bot.sha256 and sha256 else None


def _as_json(bot: LocatedBot, record: Record, found: Sequence[RerunResult]) -> dict[str, Json]:
    return {
        "equal": all(one.is_equal for one in found),
        "game": record.game,
        "seats": [_seat_json(bot, record, one) for one in found],
    }


def _seat_json(bot: LocatedBot, record: Record, found: RerunResult) -> dict[str, Json]:
    difference = found.difference
    return {
        "seat": found.seat,
        "name": record.seats[found.seat].name,
        "same_files": _has_same_files(bot, record, found.seat),
        "equal": found.is_equal,
        "turns": found.turns,
        "difference": None
        if difference is None
        else {
            "turn": difference.turn,
            "recorded": difference.recorded.to_json(),
            "now": difference.now.to_json(),
            "message": difference.diagnosis.message.text if difference.diagnosis else "",
        },
    }
