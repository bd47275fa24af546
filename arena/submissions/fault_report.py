"""A fault as shown to the bot's author: the position, the answer, and how to reproduce it locally.

Code that creates a ``FaultReport`` has already checked that the reader may see it.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arena.core.messages import Message
from arena.core.referee.diagnosis import output_between
from arena.core.referee.position import ObservedAnswer, Position, position_at
from arena.core.referee.record import Record
from arena.core.referee.replay import visible_turns
from arena.games.base import Audience
from arena.games.registry import GAMES

# Maximum length of a quoted position; positions of large tables take megabytes and can only be downloaded.
QUOTED_CHARS = 20_000
# Minimum size of one move in a position.
_MOVE_CHARS = 10
VIEWS = 8


@dataclass(frozen=True, slots=True)
class ReportedFault:
    """A rejected answer or, if ``lost``, the fault that ended the match for the seat.

    ``diagnosis``: the result of ``Diagnosis.to_json``.

    ``earlier``: the turns of earlier faults that the same change would fix, if those faults are shown with this one.
    """

    diagnosis: Mapping[str, Any]
    lost: bool
    earlier: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        return len(self.earlier) + 1

    @property
    def earlier_turns(self) -> tuple[int, ...]:
        """Return the turns of earlier faults, without duplicates."""
        return tuple(dict.fromkeys(self.earlier))

    @property
    def moment(self) -> tuple[int, int]:
        """Return the turn (0 before the first) and the answer's number within that turn."""
        return self.diagnosis["turn"], self.diagnosis.get("attempt", 1)


def moment_in_filename(turn: int, answer_number: int) -> str:
    """Format a turn and an answer's number within that turn for a file name."""
    return f"turn-{turn}" if answer_number == 1 else f"turn-{turn}-answer-{answer_number}"


def reported_faults(refused: Iterable[Mapping[str, Any]], fault: Mapping[str, Any] | None) -> tuple[ReportedFault, ...]:
    """Return all faults of one seat in chronological order."""
    return (*(ReportedFault(one, lost=False) for one in refused), *([ReportedFault(fault, lost=True)] if fault else ()))


def group_by_cause(diagnoses: Iterable[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Group diagnoses with the same cause, in order of first occurrence."""
    found: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for one in diagnoses:
        found.setdefault(_cause_key(one), []).append(one)
    return list(found.values())


def newest_by_cause(found: Iterable[ReportedFault]) -> list[ReportedFault]:
    """Return the newest fault of each cause, most recent first, with the turns of the cause's earlier faults."""
    causes: dict[tuple[Any, ...], list[ReportedFault]] = {}
    for one in found:
        same = causes.pop(_cause_key(one.diagnosis), [])
        causes[_cause_key(one.diagnosis)] = [*same, one]
    return [replace(last, earlier=tuple(one.moment[0] for one in same)) for *same, last in reversed(causes.values())]


def _cause_key(diagnosis: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return a key made up of the kind of fault, line and reason, ignoring any move or number in the message."""
    reason = _reason_code(Message.from_json(diagnosis, "message"))
    return diagnosis["kind"], diagnosis["file"], diagnosis["line"], reason


def _reason_code(message: Message) -> str:
    """Return the code of the innermost message, which may name the violated rule; if it has no code, return its text.

    The outer messages only say how many answers were rejected.
    """
    inner = next((value for value in message.parameters.values() if isinstance(value, Message)), None)
    return _reason_code(inner) if inner else message.code or message.text


def position_of(record: Record, seat: int, fault: ReportedFault, among: Iterable[ReportedFault]) -> Position:
    """Return the position of a fault, including the answers that were rejected earlier in the same turn.

    ``among``: the seat's faults, from which these answers are taken. A fault before the first turn is assigned to the
    first turn.
    """
    turn, answer_number = fault.moment
    earlier = [one.diagnosis["message"] for one in among if one.moment[0] == turn and one.moment[1] < answer_number]
    found = fault.diagnosis
    observed = ObservedAnswer(
        refused=earlier, fault=found["kind"], message=found["message"], traceback=found["traceback"]
    )
    return position_at(record, max(1, turn), seat, observed)


@dataclass(frozen=True, slots=True)
class PositionFile:
    """The position as a failing test for the local runner; ``text`` is "" if it is too long for a page."""

    name: str
    url: str
    text: str


@dataclass(frozen=True, slots=True)
class FaultReport:
    """A fault with everything that the bot's author needs; ``views``: views of the previous turns, newest last."""

    reported: ReportedFault
    printed: str
    game: str
    seat: int
    views: Sequence[Mapping[str, Any]]
    position: PositionFile | None

    @property
    def key(self) -> str:
        """Return the fault's id on the page."""
        return "{}-{}".format(*self.reported.moment)


def output_during_request(diagnosis: Mapping[str, Any], log: bytes) -> str:
    """Return the part of ``log`` that the bot printed during the failed request; "" for older diagnoses."""
    begin, end = diagnosis.get("printed") or (0, 0)
    return output_between(log, begin, end)


def position_text(position: Position) -> str:
    """Return the content of a position's file."""
    return json.dumps(position.to_json(), ensure_ascii=False, separators=(",", ":")) + "\n"


def position_file(position: Callable[[], Position], moves: int, name: str, url: str) -> PositionFile:
    """Return a position as a file to show on a page, with the file's name and URL.

    ``moves``: the number of moves in the position. If the file is too long to quote, its text is "".
    """
    text = position_text(position()) if moves * _MOVE_CHARS <= QUOTED_CHARS else ""
    return PositionFile(name, url, text if len(text) <= QUOTED_CHARS else "")


def views_before(position: Position) -> Sequence[Mapping[str, Any]]:
    """Return the views of the turns before the position."""
    turns = visible_turns(position.start(GAMES), position.recorded_turns(), Audience.EVERYBODY)
    return [turn["view"] for turn in deque(turns, VIEWS)]
