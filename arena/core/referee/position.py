"""Write and read position files: one turn of one seat, for reproducing a failed request on the author's own machine.

Invariants: a position holds the moves of all turns before it and nothing private to an opponent; what the seat received
in those turns follows from the rules. The format is versioned like a record's; an unknown version or field is an error.
Version 1 had neither ``bot_key``, from which the bot's seeds are derived, nor ``resumed``. ``given`` contains the
seat's answer and why it failed, for the bot's author; callers check who may receive it.

``{"format": "bot-arena-position", "version": 2, "game", "settings", "seed", "limits", "seats": [names], "seat": the
seat asked, "turns": [[{"seat", "move"} or {"seat", "fault"}, ...], ...], "given": its answer in the match, "bot_key":
see ``bot_seeds.seat_key``, "resumed": see ``Record``}``
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

import msgspec

from arena.core.referee.bot_seeds import seat_key
from arena.core.referee.diagnosis import Diagnosis
from arena.core.referee.faults import FaultKind
from arena.core.referee.record import Record, RecordedMove, RecordedTurn, RecordError
from arena.core.referee.record_messages import DOWNLOAD_AGAIN, with_next_step
from arena.core.referee.replay import Replay, game_of
from arena.core.referee.spec import MatchLimits, MatchSpec
from arena.games.base import Games, Json

FORMAT: Final = "bot-arena-position"
VERSION: Final = 2


class PositionError(ValueError):
    """Raised if this version cannot read a position or the rules reject it; the text says why."""


class PlayedMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The move or fault of one seat in an earlier turn."""

    seat: int
    move: Any = None
    fault: FaultKind | None = None


class ObservedAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The seat's answer in this turn. ``refused``: rejected answers before it, each with the reason."""

    move: Any = None
    refused: list[str] = []
    fault: FaultKind | None = None
    message: str = ""
    traceback: str = ""


class PositionLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limits in a position file; see ``MatchLimits``."""

    move_seconds: float
    start_seconds: float
    illegal_answers: int


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One turn of one seat. ``seats``: the names of all seats; ``turns``: the turns played before this one."""

    format: Literal["bot-arena-position"]
    version: Literal[1, 2]
    game: str
    settings: dict[str, Any]
    seed: int
    limits: PositionLimits
    seats: list[str]
    seat: int
    turns: list[list[PlayedMove]]
    observed: ObservedAnswer | None = msgspec.field(default=None, name="given")
    bot_key: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2})*$", max_length=128)] = ""
    resumed: list[int] = []

    @property
    def turn(self) -> int:
        """Return the number of the requested turn, counted from 1."""
        return len(self.turns) + 1

    def to_json(self) -> dict[str, Json]:
        plain: dict[str, Json] = msgspec.to_builtins(self)
        return plain

    @classmethod
    def from_json(cls, raw: Mapping[str, Json], games: Games) -> Position:
        """Parse the result of ``to_json`` and replay it through the rules. Raises PositionError."""
        if raw.get("version") not in (1, VERSION):
            version = raw.get("version")
            raise PositionError(
                f"This position is version {version!r}; this program reads versions 1 and 2. Update your copy "
                "of the arena."
            )
        try:
            position = msgspec.convert(raw, cls)
        except msgspec.ValidationError as error:
            raise PositionError(f"This is not a position: {error}. {DOWNLOAD_AGAIN}") from None
        position.match_limits()
        position.replay(games)
        return position

    def match_limits(self) -> MatchLimits:
        """Return the limits of the match. Raises PositionError."""
        limits = self.limits
        try:
            return MatchLimits(limits.move_seconds, limits.start_seconds, limits.illegal_answers)
        except ValueError as error:
            raise PositionError(f"The limits are invalid: {error}. {DOWNLOAD_AGAIN}") from None

    def start(self, games: Games) -> Replay:
        """Return the match before its first turn. Raises PositionError."""
        if not 0 <= self.seat < len(self.seats):
            raise PositionError(
                f"There is no seat {self.seat}: the match has {len(self.seats)} seats. {DOWNLOAD_AGAIN}"
            )
        try:
            return Replay(game_of(self.game, games), self.settings, self.seed, len(self.seats))
        except RecordError as error:
            raise PositionError(with_next_step(error.message)) from None

    def recorded_turns(self) -> list[RecordedTurn]:
        """Return the earlier turns in the format of a record."""
        return [
            RecordedTurn(number, [RecordedMove(move.seat, move.move, fault=move.fault) for move in moves])
            for number, moves in enumerate(self.turns, start=1)
        ]

    def replay(self, games: Games) -> Replay:
        """Return the match in this position. Raises PositionError."""
        replay = self.start(games)
        try:
            for turn in self.recorded_turns():
                replay.play(turn)
        except RecordError as error:
            raise PositionError(with_next_step(error.message)) from None
        return replay


def opening_position(spec: MatchSpec, seat: int, observed: ObservedAnswer | None = None) -> Position:
    """Return the position before the first turn, to test the start or the first move."""
    game, limits = spec.game, spec.limits
    return Position(
        format=FORMAT,
        version=VERSION,
        game=game.name,
        settings=game.settings_json(game.settings(spec.settings)),
        seed=spec.seed,
        limits=PositionLimits(limits.move_seconds, limits.start_seconds, limits.illegal_answers),
        seats=[one.name for one in spec.seats],
        seat=seat,
        turns=[],
        observed=observed,
        bot_key=seat_key(spec.secret, seat),
    )


def position_at(record: Record, turn: int, seat: int, observed: ObservedAnswer | None = None) -> Position:
    """Extract the position in which ``seat`` was asked to move in ``turn``. Raises PositionError if it was not.

    ``observed``: None to use the record's data, which lacks rejected answers.
    """
    if not 1 <= turn <= len(record.turns):
        raise PositionError(
            f"There is no turn {turn}: the match has turns 1 to {len(record.turns)}. Choose one of these turns."
        )
    done = next((move for move in record.turns[turn - 1].moves if move.seat == seat), None)
    if done is None:
        raise PositionError(f"Seat {seat} was not asked for a move on turn {turn}. Choose another turn or seat.")
    return Position(
        format=FORMAT,
        version=VERSION,
        game=record.game,
        settings=record.settings,
        seed=record.seed,
        limits=PositionLimits(
            record.limits["move_seconds"], record.limits["start_seconds"], int(record.limits["illegal_answers"])
        ),
        seats=[seat.name for seat in record.seats],
        seat=seat,
        turns=[
            [PlayedMove(move.seat, move.move, move.fault) for move in before.moves]
            for before in record.turns[: turn - 1]
        ],
        observed=observed or ObservedAnswer(done.move, fault=done.fault),
        bot_key=seat_key(record.secret, seat),
        resumed=[number for number in record.resumed if number <= turn],
    )


def observation_of(found: Diagnosis, earlier: Sequence[Diagnosis] = ()) -> ObservedAnswer:
    """Convert a fault or rejected answer to an ``ObservedAnswer``; ``earlier``: answers rejected in the same turn."""
    before = [one.message.text for one in earlier]
    return ObservedAnswer(refused=before, fault=found.kind, message=found.message.text, traceback=found.traceback)


def first_fault(record: Record, seat: int | None = None) -> tuple[int, int] | None:
    """Return the turn and the seat of the first fault (of ``seat``, if given); None if there was none."""
    for turn in record.turns:
        for move in turn.moves:
            if move.fault and seat in (None, move.seat):
                return turn.number, move.seat
    return None
