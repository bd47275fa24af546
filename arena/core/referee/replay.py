"""Replay a record according to the rules, and verify it.

Invariant: only the moves in a record are trusted; a turn that the rules reject raises RecordError.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from arena.core.messages import Message
from arena.core.referee import record_messages as messages
from arena.core.referee.events import visible_moves
from arena.core.referee.faults import FaultKind, with_cause
from arena.core.referee.record import Record, RecordedMove, RecordedTurn, RecordError
from arena.games.base import (
    AnyGame,
    Audience,
    Games,
    IllegalMove,
    Json,
    Outcome,
    SettingsError,
    Termination,
    Viewer,
    outcome_at_limit,
)


def replay(record: Record, games: Games) -> list[dict[str, Json]]:
    """Return all turns from turn 0, with the moves and views that everybody may see. Raises RecordError."""
    return list(visible_turns(Replay.from_record(record, games), record.turns, Audience.EVERYBODY))


def visible_turns(match: Replay, turns: Iterable[RecordedTurn], viewer: Viewer) -> Iterator[dict[str, Json]]:
    """Yield turn 0 and the given turns, which were played in ``match``, as ``viewer`` sees them. Raises RecordError."""
    yield {"number": 0, "moves": [], "view": match.view(viewer)}
    for turn in turns:
        before = match.state
        match.play(turn)
        moves = visible_moves(match.game, before, list(map(_move_json, turn.moves)), viewer)
        yield {"number": turn.number, "moves": moves, "view": match.view(viewer)}


def verify(record: Record, games: Games) -> list[Message]:
    """Check a record against the rules of its game; return the problems found, or an empty list if it is valid."""
    try:
        turns = Replay.from_record(record, games)
        for turn in record.turns:
            turns.play(turn)
        outcome = turns.outcome() or _outcome_at_time_limit(record, turns)
    except RecordError as error:
        return [error.message]
    if outcome is None:
        return [messages.UNFINISHED()]
    recorded = record.outcome
    pairs = {
        "points": (list(outcome.points), recorded.points),
        "ranks": (list(outcome.ranks), recorded.ranks),
        "margins": (list(outcome.margins), recorded.margins),
        "termination": (outcome.termination, recorded.termination),
    }
    if recorded.figures:
        figures = {name: list(values) for name, values in outcome.figures.items()}
        pairs["figures"] = (figures, recorded.figures)
    return [
        messages.WRONG_OUTCOME(figure=name, recorded=str(theirs), computed=str(ours))
        for name, (ours, theirs) in pairs.items()
        if ours != theirs
    ]


def _outcome_at_time_limit(record: Record, turns: Replay) -> Outcome | None:
    """Return the outcome at the match's time limit; None if the match had no limit or ended in another way."""
    if record.outcome.termination is not Termination.TIME_LIMIT or not record.limits.get("match_seconds"):
        return None
    return outcome_at_limit(len(record.seats), turns.faulted_seats)


def _move_json(move: RecordedMove) -> dict[str, Json]:
    return {
        "seat": move.seat,
        "move": move.move,
        "seconds": move.seconds,
        "cpu": move.cpu,
        "wall": move.wall,
        "refused": move.refused,
        "fault": move.fault.value if move.fault else None,
    }


def game_of(name: str, games: Games) -> AnyGame:
    """Return the game of a record or position. Raises RecordError."""
    if name not in games:
        raise RecordError(messages.UNKNOWN_GAME(game=repr(name)))
    return games[name]


class Replay:
    """A replay of recorded turns according to the game's rules. Raises RecordError if the rules reject a turn."""

    def __init__(self, game: AnyGame, settings: Mapping[str, Json], seed: int, seats: int) -> None:
        self.game, self.seats = game, seats
        self._all = set(range(seats))
        self._out: dict[int, FaultKind] = {}
        self._number = 0
        try:
            rng = random.Random(seed)  # noqa: S311 - not a secret
            self.state: Any = self.game.initial(self.game.settings(settings), seats, rng)
        except (SettingsError, ValueError) as error:
            raise RecordError(messages.INVALID_SETTINGS(error=str(error))) from None

    @classmethod
    def from_record(cls, record: Record, games: Games) -> Replay:
        return cls(game_of(record.game, games), record.settings, record.seed, len(record.seats))

    @property
    def faulted_seats(self) -> frozenset[int]:
        """Return the seats that faulted."""
        return frozenset(self._out)

    def to_move(self) -> set[int]:
        """Return the seats that move in the next turn."""
        return {seat for seat in self.game.to_move(self.state) if seat not in self._out}

    def view(self, viewer: Viewer) -> dict[str, Json]:
        return self.game.view(self.state, viewer)

    def outcome(self) -> Outcome | None:
        return with_cause(self.game.outcome(self.state), self._out.values())

    def play(self, turn: RecordedTurn) -> None:
        self._number += 1
        if turn.number != self._number:
            raise RecordError(messages.WRONG_NUMBER(turn=self._number, number=turn.number))
        if self.outcome() is not None:
            raise RecordError(messages.AFTER_END(turn=turn.number))
        out = {move.seat: move.fault for move in turn.moves if move.fault}
        self._check_seats(turn, set(out))
        moves = {move.seat: self._parse(turn.number, move) for move in turn.moves if not move.fault}
        self.state = self.game.apply(self.state, moves, frozenset(out))
        self._out |= out

    def _check_seats(self, turn: RecordedTurn, out: set[int]) -> None:
        """Check that every seat to move answers or faults, unless another seat left and ended the turn."""
        seats = [move.seat for move in turn.moves]
        to_move = self.to_move()
        if len(set(seats)) != len(seats) or self._out.keys() & set(seats) or not set(seats) <= self._all:
            raise RecordError(messages.INVALID_SEATS(turn=turn.number))
        answered = set(seats) - out
        decided_alone = bool(out - to_move) and not answered
        if not seats or not answered <= to_move or not (decided_alone or to_move == set(seats)):
            raise RecordError(
                messages.WRONG_SEATS(turn=turn.number, expected=str(sorted(to_move)), recorded=str(sorted(seats)))
            )

    def _parse(self, number: int, move: RecordedMove) -> Any:
        try:
            decoded = self.game.decode(move.move)
            return self.game.parse(self.state, move.seat, self.game.encode(decoded))
        except (IllegalMove, ValueError, TypeError) as error:
            raise RecordError(
                messages.ILLEGAL_MOVE(turn=number, seat=move.seat, move=repr(move.move), error=str(error))
            ) from None
