"""Write, store and read the canonical log of a match; ``replay`` runs it through the rules.

Invariants: a record contains what cannot be computed (settings, seed, moves, times, faults) and the outcome; positions
are derived by the rules. Records are public: for faults, they contain the kind of fault and the number of rejected
answers, but nothing private to a bot's author. A record of an unknown version is rejected: its contents are never
guessed. Version 1 quoted rejected answers, of which only the number is read; version 2 had no secret. The bytes are
zlib-compressed JSON.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

import msgspec

from arena.core.messages import Message
from arena.core.referee import record_messages as messages
from arena.core.referee.events import SeatMove, TurnPlayed
from arena.core.referee.faults import FaultKind
from arena.core.referee.spec import MatchSpec
from arena.games.base import Json, Outcome, Termination

VERSION: Final = 3
_SECRETLESS: Final = 2
MAX_JSON_BYTES = 256 * 1024 * 1024


class RecordError(ValueError):
    """Raised for bytes or JSON that this version cannot read as a record, or that the rules reject."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


class RecordedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    sha256: str


class RecordedMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One seat's move in one turn; times are in seconds, rounded to microseconds.

    ``refused``: number of rejected answers before this one.
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


class RecordedOutcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An ``Outcome`` of a game as stored. ``figures`` is empty in older records and in games without figures."""

    points: list[float]
    ranks: list[int]
    margins: list[float]
    termination: Termination
    figures: dict[str, list[float]] = {}

    @classmethod
    def from_outcome(cls, outcome: Outcome) -> RecordedOutcome:
        figures = {name: list(values) for name, values in outcome.figures.items()}
        points, ranks, margins = list(outcome.points), list(outcome.ranks), list(outcome.margins)
        return cls(points, ranks, margins, outcome.termination, figures)


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One finished match.

    ``secret``: the secret from which the bots' seeds are derived (see ``bot_seeds``); "" if they used the system's
    entropy. ``resumed``: the turns for which all bots were restarted because their worker had died.
    """

    version: Literal[2, 3]
    game: str
    settings: dict[str, Any]
    seed: int
    limits: dict[str, float]
    seats: list[RecordedSeat]
    turns: list[RecordedTurn]
    outcome: RecordedOutcome
    secret: Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{2})*$", max_length=256)] = ""
    resumed: list[Annotated[int, msgspec.Meta(ge=1)]] = []

    def __post_init__(self) -> None:
        if self.version == _SECRETLESS and (self.secret or self.resumed):
            raise ValueError(f"a record of version {_SECRETLESS} has no secret")

    def to_json(self) -> dict[str, Json]:
        """Return the record as plain JSON values."""
        plain: dict[str, Json] = msgspec.to_builtins(self)
        return plain

    @classmethod
    def from_json(cls, raw: Mapping[str, Json]) -> Record:
        """Parse the result of ``to_json``. Raises RecordError."""
        version = raw.get("version") if isinstance(raw, Mapping) else None
        try:
            return msgspec.convert(_convert_version_1(raw) if version == 1 else _parse_known_version(version, raw), cls)
        except msgspec.ValidationError as error:
            raise RecordError(messages.NOT_A_RECORD(error=str(error))) from None


class _Version(msgspec.Struct):
    version: int | None = None


def _parse_known_version(version: object, raw: Any) -> Any:
    if version in (_SECRETLESS, VERSION):
        return raw
    if isinstance(version, int) and version > VERSION:
        raise RecordError(messages.UNKNOWN_VERSION(version=version, newest=VERSION))
    raise RecordError(messages.DAMAGED())


class _MoveOfVersion1(msgspec.Struct):
    refused: list[str] = []


class _TurnOfVersion1(msgspec.Struct):
    moves: list[_MoveOfVersion1]


class _Version1(msgspec.Struct):
    turns: list[_TurnOfVersion1]


def _convert_version_1(raw: Mapping[str, Json]) -> dict[str, Json]:
    """Convert a record of version 1: replace each list of rejected answers with its length.

    Raises msgspec.ValidationError.
    """
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
    return {**raw, "version": _SECRETLESS, "turns": turns}


def create_record(spec: MatchSpec, turns: list[TurnPlayed], outcome: Outcome, resumed: Sequence[int] = ()) -> Record:
    """Create the record of a match that has just been played; ``resumed``: see ``Record``."""
    game, limits = spec.game, spec.limits
    return Record(
        version=VERSION,
        game=game.name,
        settings=game.settings_json(game.settings(spec.settings)),
        seed=spec.seed,
        limits={
            "move_seconds": limits.move_seconds,
            "start_seconds": limits.start_seconds,
            "illegal_answers": limits.illegal_answers,
            "memory_mb": limits.memory_mb,
            **({"match_seconds": limits.match_seconds} if limits.match_seconds else {}),
        },
        seats=[RecordedSeat(seat.name, seat.sha256) for seat in spec.seats],
        turns=[RecordedTurn(turn.number, [_recorded_move(move) for move in turn.moves]) for turn in turns],
        outcome=RecordedOutcome.from_outcome(outcome),
        secret=spec.secret,
        resumed=list(resumed),
    )


def _recorded_move(move: SeatMove) -> RecordedMove:
    spent = move.spent
    return RecordedMove(
        seat=move.seat,
        move=move.move,
        seconds=round(spent.charged, 6),
        cpu=round(spent.cpu, 6),
        wall=round(spent.wall, 6),
        refused=len(move.rejected),
        fault=move.fault,
    )


def dump(record: Record) -> bytes:
    """Return compressed bytes for storage."""
    return zlib.compress(msgspec.json.encode(record), level=6)


def _decompress(data: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(data, MAX_JSON_BYTES)
    except zlib.error:
        raise RecordError(messages.DAMAGED()) from None
    if not unpacker.eof:
        raise RecordError(messages.TRUNCATED())
    return text


class _OutcomeOnly(msgspec.Struct):
    """The outcome of a record; the decoder skips all other fields."""

    outcome: RecordedOutcome


def load_outcome(data: bytes) -> RecordedOutcome:
    """Load only the outcome, without building the moves. Raises RecordError."""
    try:
        return msgspec.json.decode(_decompress(data), type=_OutcomeOnly).outcome
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(messages.NOT_A_RECORD(error=str(error))) from None


def load(data: bytes) -> Record:
    """Parse the result of ``dump``. Raises RecordError."""
    text = _decompress(data)
    try:
        version = msgspec.json.decode(text, type=_Version).version
        if version == 1:
            return Record.from_json(msgspec.json.decode(text))
        return msgspec.json.decode(_parse_known_version(version, text), type=Record)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(messages.NOT_A_RECORD(error=str(error))) from None
