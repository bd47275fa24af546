"""A fault as its author reads it on a page: what the bot was observed, what it did, how to ask it again at home.

Whoever makes an ``FaultReport`` has checked that the reader may see it.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arena.core.referee.diagnosis import printed
from arena.core.referee.position import Observed, Position, cut
from arena.core.referee.record import Record
from arena.core.referee.replay import seen_turns
from arena.games.base import Audience
from arena.games.registry import GAMES

# As much of a position as a page quotes; one of a large table has megabytes and is only downloaded.
QUOTED_CHARS = 20_000
# An entry of a position, one move, has at least so many.
_MOVE_CHARS = 10
VIEWS = 8


@dataclass(frozen=True, slots=True)
class Offence:
    """A refused answer, or with ``lost`` the fault that ended it; ``diagnosis`` as ``Diagnosis.to_json`` has it.

    ``earlier``: the turns of those before it that one change would mend as well, where they are shown as one.
    """

    diagnosis: Mapping[str, Any]
    lost: bool
    earlier: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        return len(self.earlier) + 1

    @property
    def earlier_turns(self) -> tuple[int, ...]:
        """Each turn once."""
        return tuple(dict.fromkeys(self.earlier))

    @property
    def place(self) -> tuple[int, int]:
        """Turn, 0 before the first, and attempt."""
        return self.diagnosis["turn"], self.diagnosis.get("attempt", 1)


def place_name(turn: int, attempt: int) -> str:
    """A turn and an attempt in the name of a file."""
    return f"turn-{turn}" if attempt == 1 else f"turn-{turn}-attempt-{attempt}"


def offences(refused: Iterable[Mapping[str, Any]], fault: Mapping[str, Any] | None) -> tuple[Offence, ...]:
    """All of one seat in the order in which they happened."""
    return (*(Offence(one, lost=False) for one in refused), *([Offence(fault, lost=True)] if fault else ()))


def distinct(diagnoses: Iterable[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Diagnoses that an author would mend by one change, together, in the order in which each first happened."""
    found: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for one in diagnoses:
        found.setdefault(_cause(one), []).append(one)
    return list(found.values())


def newest_distinct(found: Iterable[Offence]) -> list[Offence]:
    """The newest offence of each cause with the turns of the earlier ones; the newest cause first."""
    causes: dict[tuple[Any, ...], list[Offence]] = {}
    for one in found:
        same = causes.pop(_cause(one.diagnosis), [])
        causes[_cause(one.diagnosis)] = [*same, one]
    return [replace(last, earlier=tuple(one.place[0] for one in same)) for *same, last in reversed(causes.values())]


def _cause(diagnosis: Mapping[str, Any]) -> tuple[Any, ...]:
    """The kind of fault, its line and the reason, whatever move or number the message names."""
    reason = diagnosis.get("message_code") or diagnosis["message"]
    return diagnosis["kind"], diagnosis["file"], diagnosis["line"], reason


def position_of(record: Record, seat: int, offence: Offence, among: Iterable[Offence]) -> Position:
    """The state of one of a seat's offences; a fault before the first turn is recorded in the first."""
    turn, attempt = offence.place
    earlier = [one.diagnosis["message"] for one in among if one.place[0] == turn and one.place[1] < attempt]
    found = offence.diagnosis
    observed = Observed(refused=earlier, fault=found["kind"], message=found["message"], traceback=found["traceback"])
    return cut(record, max(1, turn), seat, observed)


@dataclass(frozen=True, slots=True)
class PositionFile:
    """The state as a failing test for the local runner; ``text`` is "" where it is too long for a page."""

    name: str
    url: str
    text: str


@dataclass(frozen=True, slots=True)
class FaultReport:
    """An offence with all that its author needs; ``views``: of the last turns before, the newest last."""

    offence: Offence
    printed: str
    game: str
    seat: int
    views: Sequence[Mapping[str, Any]]
    position: PositionFile | None

    @property
    def key(self) -> str:
        """Names it on its page."""
        return "{}-{}".format(*self.offence.place)


def printed_during(diagnosis: Mapping[str, Any], log: bytes) -> str:
    """The lines of the log that belong to the request; reports of older versions do not know which these are."""
    begin, end = diagnosis.get("printed") or (0, 0)
    return printed(log, begin, end)


def position_text(position: Position) -> str:
    """The content of the file."""
    return json.dumps(position.to_json(), ensure_ascii=False, separators=(",", ":")) + "\n"


def position_file(position: Callable[[], Position], moves: int, name: str, url: str) -> PositionFile:
    """``moves``: how many it holds; one that is too long to be quoted is not even made."""
    text = position_text(position()) if moves * _MOVE_CHARS <= QUOTED_CHARS else ""
    return PositionFile(name, url, text if len(text) <= QUOTED_CHARS else "")


def views_before(position: Position) -> Sequence[Mapping[str, Any]]:
    """What a page shows of the turns that led to the position."""
    turns = seen_turns(position.start(GAMES), position.recorded_turns(), Audience.EVERYBODY)
    return [turn["view"] for turn in deque(turns, VIEWS)]
