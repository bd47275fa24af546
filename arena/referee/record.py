"""The canonical log of a match: write, read, verify, replay.

Invariants: a record holds what cannot be computed (settings, seed, moves, times, faults) and the
outcome; every position follows from the rules. Everybody may read it: of offences it has kind and
number, nothing that a bot's author alone may know. A record of an unknown version is refused, never
guessed; version 1 quoted refused answers, which are counted when it is read. The bytes are
zlib-compressed JSON.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

import msgspec

from arena.games import GAMES
from arena.games.base import IllegalMove, Json, Outcome, SettingsError, Termination
from arena.referee.events import SeatMove, TurnPlayed
from arena.referee.faults import FaultKind
from arena.referee.spec import MatchSpec

VERSION: Final = 2
MAX_JSON_BYTES = 256 * 1024 * 1024


class RecordError(ValueError):
    """Bytes or JSON that are no record this version can read; the text says why."""


class RecordedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    sha256: str


class RecordedMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One seat in one turn; times in seconds, rounded to microseconds.

    ``refused``: illegal answers after which it was asked again.
    """

    seat: int
    move: Any
    seconds: float = 0.0
    cpu: float = 0.0
    wall: float = 0.0
    refused: int = 0
    fault: FaultKind | None = None


class RecordedTurn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    moves: list[RecordedMove]


class RecordedOutcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    points: list[float]
    ranks: list[int]
    margins: list[float]
    termination: Termination


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One finished match."""

    version: Literal[2]
    game: str
    settings: dict[str, Any]
    seed: int
    limits: dict[str, float]
    seats: list[RecordedSeat]
    turns: list[RecordedTurn]
    outcome: RecordedOutcome

    def to_json(self) -> dict[str, Json]:
        """The record as plain JSON values."""
        plain: dict[str, Json] = msgspec.to_builtins(self)
        return plain

    @classmethod
    def from_json(cls, raw: Mapping[str, Json]) -> Record:
        """The inverse of ``to_json``; raises RecordError."""
        version = raw.get("version") if isinstance(raw, Mapping) else None
        try:
            return msgspec.convert(_of_version_1(raw) if version == 1 else _known(version, raw), cls)
        except msgspec.ValidationError as error:
            raise RecordError(f"Not a match record: {error}") from None


class _Version(msgspec.Struct):
    version: int | None = None


def _known(version: object, raw: Any) -> Any:
    if version != VERSION:
        raise RecordError(f"The record has version {version!r}; this program reads the versions 1 and {VERSION}.")
    return raw


class _MoveOfVersion1(msgspec.Struct):
    refused: list[str] = []


class _TurnOfVersion1(msgspec.Struct):
    moves: list[_MoveOfVersion1]


class _Version1(msgspec.Struct):
    turns: list[_TurnOfVersion1]


def _of_version_1(raw: Mapping[str, Json]) -> dict[str, Json]:
    """The record with refused answers counted; raises msgspec.ValidationError."""
    counts = msgspec.convert(raw, _Version1)
    turns = [
        {
            **turn,
            "moves": [
                {**move, "refused": len(counted.refused)}
                for move, counted in zip(turn["moves"], known.moves, strict=True)
            ],
        }
        for turn, known in zip(raw["turns"], counts.turns, strict=True)
    ]
    return {**raw, "version": VERSION, "turns": turns}


def write(spec: MatchSpec, turns: list[TurnPlayed], outcome: Outcome) -> Record:
    """The record of a match that was just played."""
    game = GAMES[spec.game]
    limits = spec.limits
    return Record(
        version=VERSION,
        game=spec.game,
        settings=game.settings_json(game.settings(spec.settings)),
        seed=spec.seed,
        limits={
            "move_seconds": limits.move_seconds,
            "start_seconds": limits.start_seconds,
            "illegal_answers": limits.illegal_answers,
            "memory_mb": limits.memory_mb,
        },
        seats=[RecordedSeat(seat.name, seat.sha256) for seat in spec.seats],
        turns=[RecordedTurn(turn.number, [_recorded(move) for move in turn.moves]) for turn in turns],
        outcome=RecordedOutcome(list(outcome.points), list(outcome.ranks), list(outcome.margins), outcome.termination),
    )


def _recorded(move: SeatMove) -> RecordedMove:
    spent = move.spent
    return RecordedMove(
        seat=move.seat,
        move=move.move,
        seconds=round(spent.charged, 6),
        cpu=round(spent.cpu, 6),
        wall=round(spent.wall, 6),
        refused=len(move.refused),
        fault=move.fault,
    )


def dump(record: Record) -> bytes:
    """Compressed bytes for storage."""
    return zlib.compress(msgspec.json.encode(record), level=6)


def load(data: bytes) -> Record:
    """The inverse of ``dump``; raises RecordError."""
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(data, MAX_JSON_BYTES)
    except zlib.error as error:
        raise RecordError(f"Not a compressed match record: {error}") from None
    if not unpacker.eof:
        raise RecordError("The match record is cut short or too long.")
    try:
        version = msgspec.json.decode(text, type=_Version).version
        if version == 1:
            return Record.from_json(msgspec.json.decode(text))
        return msgspec.json.decode(_known(version, text), type=Record)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(f"Not a match record: {error}") from None


def replay(record: Record) -> list[dict[str, Json]]:
    """Every turn with its view, turn 0 first, as pages show them; raises RecordError."""
    return list(_replay(record))


def verify(record: Record) -> list[str]:
    """What is wrong with a record by the rules of its game; empty where it holds."""
    try:
        turns = Replay.of(record)
        for turn in record.turns:
            turns.play(turn)
        outcome = turns.outcome()
    except RecordError as error:
        return [str(error)]
    if outcome is None:
        return ["The match is not over after the last turn."]
    recorded = record.outcome
    pairs = {
        "points": (list(outcome.points), recorded.points),
        "ranks": (list(outcome.ranks), recorded.ranks),
        "margins": (list(outcome.margins), recorded.margins),
        "termination": (outcome.termination, recorded.termination),
    }
    return [
        f"The {name} are {theirs} in the record but {ours} by the rules."
        for name, (ours, theirs) in pairs.items()
        if ours != theirs
    ]


def _replay(record: Record) -> Iterator[dict[str, Json]]:
    turns = Replay.of(record)
    yield {"number": 0, "moves": [], "view": turns.view()}
    for turn in record.turns:
        turns.play(turn)
        yield {"number": turn.number, "moves": shown(turn), "view": turns.view()}


def shown(turn: RecordedTurn) -> list[dict[str, Json]]:
    """The moves of a turn as pages show them."""
    return [_shown(move) for move in turn.moves]


def _shown(move: RecordedMove) -> dict[str, Json]:
    return {
        "seat": move.seat,
        "move": move.move,
        "seconds": move.seconds,
        "cpu": move.cpu,
        "wall": move.wall,
        "refused": move.refused,
        "fault": move.fault.value if move.fault else None,
    }


class Replay:
    """Plays recorded turns through the rules; raises RecordError where the rules refuse."""

    def __init__(self, game: str, settings: Mapping[str, Json], seed: int, seats: int) -> None:
        if game not in GAMES:
            raise RecordError(f"The arena has no game {game!r}.")
        self.game = GAMES[game]
        self._all = set(range(seats))
        self._out: set[int] = set()
        self._number = 0
        try:
            rng = random.Random(seed)  # noqa: S311 - not a secret
            self.state: Any = self.game.initial(self.game.settings(settings), seats, rng)
        except (SettingsError, ValueError) as error:
            raise RecordError(f"The settings cannot be played: {error}") from None

    @classmethod
    def of(cls, record: Record) -> Replay:
        return cls(record.game, record.settings, record.seed, len(record.seats))

    def to_move(self) -> set[int]:
        """The seats that are asked for the next turn."""
        return {seat for seat in self.game.to_move(self.state) if seat not in self._out}

    def view(self) -> dict[str, Json]:
        return self.game.view(self.state)

    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state)

    def play(self, turn: RecordedTurn) -> None:
        self._number += 1
        if turn.number != self._number:
            raise RecordError(f"Turn {self._number} is numbered {turn.number}.")
        if self.outcome() is not None:
            raise RecordError(f"Turn {turn.number} comes after the end of the match.")
        out = {move.seat for move in turn.moves if move.fault}
        self._check_seats(turn, out)
        moves = {move.seat: self._parse(turn.number, move) for move in turn.moves if not move.fault}
        self.state = self.game.apply(self.state, moves, frozenset(out))
        self._out |= out

    def _check_seats(self, turn: RecordedTurn, out: set[int]) -> None:
        """Everybody who is to move answers or faults, unless a seat beside them left and ended the turn."""
        seats = [move.seat for move in turn.moves]
        to_move = self.to_move()
        if len(set(seats)) != len(seats) or self._out & set(seats) or not set(seats) <= self._all:
            raise RecordError(f"In turn {turn.number} a seat moves twice, after it was out, or does not exist.")
        answered = set(seats) - out
        decided_alone = bool(out - to_move) and not answered
        if not seats or not answered <= to_move or not (decided_alone or to_move == set(seats)):
            raise RecordError(f"In turn {turn.number} the seats {sorted(to_move)} were to move, not {sorted(seats)}.")

    def _parse(self, number: int, move: RecordedMove) -> Any:
        try:
            decoded = self.game.decode(move.move)
            return self.game.parse(self.state, move.seat, self.game.encode(decoded))
        except (IllegalMove, ValueError, TypeError) as error:
            raise RecordError(f"In turn {number} seat {move.seat} cannot play {move.move!r}: {error}") from None
