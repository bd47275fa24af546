"""What the referee tells while a match is played.

Invariant: ``to_json`` is what everybody may see. Of a bot's offences it gives the kind and the number, never an
answer, a reason or a line of a log: these are for the seat's author, see ``diagnosis``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.core.referee.faults import FaultKind
from arena.games.base import Json, Outcome, only_best


@dataclass(frozen=True, slots=True)
class Spent:
    """Time one seat used in one turn, all tries together, in seconds.

    ``charged`` counts against the limit; ``cpu`` and ``wall`` are what was measured.
    """

    charged: float = 0.0
    cpu: float = 0.0
    wall: float = 0.0


NO_TIME = Spent()


@dataclass(frozen=True, slots=True)
class LogSpan:
    """What a seat printed during one request, as bytes of its log; ``end`` None: all that follows."""

    begin: int = 0
    end: int | None = None


NOTHING_PRINTED = LogSpan(0, 0)


@dataclass(frozen=True, slots=True)
class Refusal:
    """An illegal answer after which the seat was asked again.

    ``answer``: as Python writes it, "" where it was nothing that can be quoted. ``shown``: the same with the reason.
    ``spent``: what the turn had cost until then.
    """

    answer: str
    shown: str
    spent: Spent = NO_TIME
    printed: LogSpan = NOTHING_PRINTED


@dataclass(frozen=True, slots=True)
class SeatMove:
    """What one seat did in one turn.

    ``move`` is as the game encodes it, None where the seat faulted. ``refused``: its illegal answers
    after which it was asked again.
    """

    seat: int
    move: Json
    spent: Spent = NO_TIME
    refused: tuple[Refusal, ...] = ()
    fault: FaultKind | None = None

    @property
    def seconds(self) -> float:
        return self.spent.charged

    @property
    def cpu_seconds(self) -> float:
        return self.spent.cpu

    @classmethod
    def of_json(cls, raw: Mapping[str, Json]) -> SeatMove:
        """A faultless move from ``to_json``; refused answers are not told and so not known any more."""
        return cls(raw["seat"], raw["move"], Spent(raw["seconds"], raw["cpu"], raw["wall"]))

    def to_json(self) -> dict[str, Json]:
        """The move as pages and sockets show it."""
        return {
            "seat": self.seat,
            "move": self.move,
            "seconds": round(self.spent.charged, 6),
            "cpu": round(self.spent.cpu, 6),
            "wall": round(self.spent.wall, 6),
            "refused": len(self.refused),
            "fault": self.fault.value if self.fault else None,
        }


@dataclass(frozen=True, slots=True)
class Started:
    """All bots are ready, or out; ``view`` is turn 0."""

    view: Mapping[str, Json]

    def to_json(self) -> dict[str, Json]:
        return {"number": 0, "moves": [], "view": dict(self.view)}


@dataclass(frozen=True, slots=True)
class TurnPlayed:
    """One turn is over; numbers start at 1; ``moves`` are in the order of the seats."""

    number: int
    moves: tuple[SeatMove, ...]
    view: Mapping[str, Json]

    def to_json(self) -> dict[str, Json]:
        """The turn as pages and sockets show it."""
        return {"number": self.number, "moves": [move.to_json() for move in self.moves], "view": dict(self.view)}


@dataclass(frozen=True, slots=True)
class Finished:
    """The match is over."""

    outcome: Outcome


MatchEvent = Started | TurnPlayed | Finished


def outcome_json(points: Sequence[float | None], ranks: Sequence[int | None], termination: str) -> dict[str, Json]:
    """An outcome as pages and sockets show it."""
    return {"points": list(points), "ranks": list(ranks), "termination": termination, "winner": only_best(ranks)}
