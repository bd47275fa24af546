"""Events of a match in progress.

Invariants: ``to_json`` of an event contains what its viewer (by default, the public) may see; the events themselves
contain everything, for the record. For a bot's faults, the JSON contains the kind of fault and the number of rejected
answers, but never an answer, a reason or a line of the log, which are only for the seat's author (see ``diagnosis``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.core.messages import Message
from arena.core.referee.faults import ARENA_FAILURES, FaultKind
from arena.games.base import AnyGame, Audience, Json, Outcome, Viewer, sole_winner


@dataclass(frozen=True, slots=True)
class TimeSpent:
    """The time that one seat used in one turn, for all its answers together, in seconds.

    ``charged`` counts against the limit; ``cpu`` and ``wall`` were measured.
    """

    charged: float = 0.0
    cpu: float = 0.0
    wall: float = 0.0


NO_TIME = TimeSpent()


@dataclass(frozen=True, slots=True)
class LogSpan:
    """A seat's output during one request, as byte positions in its log. ``end``: None for the end of the log."""

    begin: int = 0
    end: int | None = None


NOTHING_PRINTED = LogSpan(0, 0)


@dataclass(frozen=True, slots=True)
class RejectedAnswer:
    """An illegal answer; the seat was then asked again.

    ``answer``: in Python notation, "" if it cannot be quoted. ``message``: the answer and why it is illegal. ``spent``:
    the time used in the turn up to this answer.
    """

    answer: str
    message: Message
    spent: TimeSpent = NO_TIME
    printed: LogSpan = NOTHING_PRINTED


@dataclass(frozen=True, slots=True)
class SeatMove:
    """The move or fault of one seat in one turn.

    ``move``: the move as the game encodes it, None if the seat faulted. ``rejected``: rejected answers in this turn.
    ``printed``: output during the whole turn, shown only to the bot's author.
    """

    seat: int
    move: Json
    spent: TimeSpent = NO_TIME
    rejected: tuple[RejectedAnswer, ...] = ()
    fault: FaultKind | None = None
    printed: LogSpan = NOTHING_PRINTED

    @property
    def seconds(self) -> float:
        return self.spent.charged

    @property
    def cpu_seconds(self) -> float:
        return self.spent.cpu

    @classmethod
    def from_json(cls, raw: Mapping[str, Json]) -> SeatMove:
        """Parse the result of ``to_json``; rejected answers are left out."""
        fault = FaultKind(raw["fault"]) if raw["fault"] else None
        return cls(raw["seat"], raw["move"], TimeSpent(raw["seconds"], raw["cpu"], raw["wall"]), fault=fault)

    def to_json(self) -> dict[str, Json]:
        """Return the complete move, regardless of the viewer."""
        return {
            "seat": self.seat,
            "move": self.move,
            "seconds": round(self.spent.charged, 6),
            "cpu": round(self.spent.cpu, 6),
            "wall": round(self.spent.wall, 6),
            "refused": len(self.rejected),
            "fault": self.fault.value if self.fault else None,
        }


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The match's turn 0: all bots have started or failed to start. ``state`` is the initial state."""

    game: AnyGame
    state: Any

    def to_json(self, viewer: Viewer = Audience.PUBLIC) -> dict[str, Json]:
        """Return the turn as ``viewer`` sees it."""
        with ARENA_FAILURES:
            return {"number": 0, "moves": [], "view": self.game.view(self.state, viewer)}


@dataclass(frozen=True, slots=True)
class TurnPlayed:
    """A finished turn (numbered from 1): ``moves``, in seat order, led from ``before`` to ``state``."""

    number: int
    moves: tuple[SeatMove, ...]
    game: AnyGame
    before: Any
    state: Any

    def to_json(self, viewer: Viewer = Audience.PUBLIC) -> dict[str, Json]:
        """Return the turn as ``viewer`` sees it."""
        with ARENA_FAILURES:
            moves = visible_moves(self.game, self.before, [move.to_json() for move in self.moves], viewer)
            return {"number": self.number, "moves": moves, "view": self.game.view(self.state, viewer)}


def visible_moves(game: AnyGame, before: Any, moves: list[dict[str, Json]], viewer: Viewer) -> list[dict[str, Json]]:
    """Return the moves of a turn, in the format of ``SeatMove.to_json``, without what is hidden from ``viewer``."""
    if not game.hides:
        return moves
    return [
        move if move["fault"] else {**move, "move": game.shown_move(before, move["seat"], move["move"], viewer)}
        for move in moves
    ]


@dataclass(frozen=True, slots=True)
class MatchFinished:
    """The end of the match."""

    outcome: Outcome


MatchEvent = MatchStarted | TurnPlayed | MatchFinished


def outcome_json(points: Sequence[float | None], ranks: Sequence[int | None], termination: str) -> dict[str, Json]:
    """Return an outcome as pages and live events show it."""
    return {"points": list(points), "ranks": list(ranks), "termination": termination, "winner": sole_winner(ranks)}
