"""What a game is: pure rules that the referee, the site and the local runner share.

Invariants: a state is immutable and complete (applying the same moves to the same
initial state gives the same states everywhere); no game reads a clock, a file, a
socket or a global random source; a seeded ``random.Random`` is passed in.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, TypeVar

Json = Any  # what json.loads returns: None, bool, int, float, str, list, dict

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
SettingsT = TypeVar("SettingsT")


class IllegalMove(ValueError):  # noqa: N818 - the field's own term
    """An answer that the rules refuse; the text tells the bot's author why."""


class SettingsError(ValueError):
    """A game setting that cannot be used; ``field`` names it."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class Termination(StrEnum):
    """Why a match ended; who won is ``Outcome.ranks``."""

    COMPLETED = "completed"  # the rules ended it
    FORFEIT = "forfeit"  # faults left nobody to play against
    RESIGNATION = "resignation"  # a seat gave up
    TIME_LIMIT = "time_limit"  # the match as a whole took longer than it may; nobody wins


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished match, one entry a seat.

    ``points``: the game's own points (Reversi 1, 0.5, 0; golden point its score).
    ``ranks``: 1 is best, equals share the better rank.
    ``margins``: the disc difference in Reversi, the score in golden point; breaks ties.
    """

    points: tuple[float, ...]
    ranks: tuple[int, ...]
    margins: tuple[float, ...]
    termination: Termination

    @property
    def winner(self) -> int | None:
        return only_best(self.ranks)


def ended_at_limit(seats: int, out: Collection[int]) -> Outcome:
    """The outcome of a match that was ended at its time limit: no points, and the seats that faulted rank last.

    It is no win for anybody, so only matches that count for nothing may have such a limit.
    """
    last = seats - len(out) + 1
    ranks = tuple(last if seat in out else 1 for seat in range(seats))
    return Outcome((0.0,) * seats, ranks, (0.0,) * seats, Termination.TIME_LIMIT)


def only_best(ranks: Sequence[int | None]) -> int | None:
    """The only best seat, or None where several share the first rank."""
    best = [seat for seat, rank in enumerate(ranks) if rank == 1]
    return best[0] if len(best) == 1 else None


class Game(Protocol[StateT, MoveT, SettingsT]):
    """The rules of one game. Seats are numbered from 0."""

    name: str
    min_seats: int
    max_seats: int
    colors: tuple[str, ...]  # what the seats are called, ("X", "O") in Reversi; empty where they are only numbered

    def settings(self, raw: Mapping[str, Json]) -> SettingsT:
        """Settings from JSON, defaults filled in; raises SettingsError."""

    def settings_json(self, settings: SettingsT) -> dict[str, Json]:
        """The inverse of ``settings``, every field present."""

    def initial(self, settings: SettingsT, seats: int, rng: random.Random) -> StateT:
        """The state before the first turn."""

    def most_turns(self, settings: SettingsT) -> int:
        """How many turns a match takes at most."""

    def to_move(self, state: StateT) -> tuple[int, ...]:
        """Seats asked in this turn; several in a simultaneous game; empty when the match is over."""

    def shared(self, state: StateT) -> Json:
        """What every seat asked in this turn is told: only what is new since the turn before."""

    def own(self, state: StateT, seat: int) -> Json:
        """What one seat is told besides."""

    def parse(self, state: StateT, seat: int, answer: Json) -> MoveT:
        """The move that an answer means; raises IllegalMove with the reason."""

    def apply(self, state: StateT, moves: Mapping[int, MoveT], out: frozenset[int] = frozenset()) -> StateT:
        """The state after one turn: ``moves`` of the seats that answered; the seats of ``out`` fault and leave."""

    def outcome(self, state: StateT) -> Outcome | None:
        """The result, or None while the match goes on."""

    def view(self, state: StateT) -> dict[str, Json]:
        """What spectators see of this state and of the turn that led to it."""

    def encode(self, move: MoveT) -> Json:
        """A move as it stands in a record."""

    def decode(self, raw: Json) -> MoveT:
        """The inverse of ``encode``; raises ValueError."""
