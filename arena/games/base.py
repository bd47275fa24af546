"""What a game is: pure rules that the referee, the site and the local runner share.

Invariants: a state is immutable and complete (applying the same moves to the same initial state gives the same states
everywhere), so chance after the start comes from a seed in the state; no game reads a clock, a file, a socket or a
global random source; a seeded ``random.Random`` is passed in. What a viewer may not see is in nothing that
``view``, ``own``, ``shared`` or ``shown_move`` returns for that viewer.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any, ClassVar, Final, Generic, TypeVar

from arena.core.messages import Message, Template, Templates, gettext_noop, table, verbatim

Json = Any  # what json.loads returns: None, bool, int, float, str, list, dict

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
SettingsT = TypeVar("SettingsT")

UNKNOWN_SETTING: Final = Template("settings.unknown", gettext_noop("%(game)s has no setting %(name)s."))
TEXT_EXPECTED: Final = Template("settings.text", gettext_noop("A text of at most %(most)s characters is expected."))
WHOLE_NUMBER_EXPECTED: Final = Template(
    "settings.whole_number", gettext_noop("A whole number from %(least)s to %(most)s is expected.")
)
SETTINGS_MESSAGES: Final = table(UNKNOWN_SETTING, TEXT_EXPECTED, WHOLE_NUMBER_EXPECTED)


class IllegalMove(ValueError):  # noqa: N818 - the field's own term
    """An answer that the rules refuse; the message tells the bot's author why."""

    def __init__(self, message: Message | str) -> None:
        super().__init__(str(message))
        self.message = message if isinstance(message, Message) else verbatim(message)


class SettingsError(ValueError):
    """A game setting that cannot be used; ``field`` names it."""

    def __init__(self, field: str, message: Message | str) -> None:
        super().__init__(str(message))
        self.field = field
        self.message = message if isinstance(message, Message) else verbatim(message)


class Audience(Enum):
    """Who looks at a match without a seat in it."""

    PUBLIC = "public"  # anybody, while the match runs
    EVERYBODY = "everybody"  # anybody, after its end: nothing is hidden any more


Viewer = int | Audience  # the number of a seat, or an audience


class Scoring(StrEnum):
    """What a match is worth."""

    RANKED = "ranked"  # points for places among opponents
    SCORED = "scored"  # a score that compares across matches: one seat may play alone, standings add scores up


@dataclass(frozen=True, slots=True)
class IntegerSetting:
    """A whole number from ``minimum`` to ``maximum``; ``choices``: the values a form offers, where they are few."""

    name: str
    default: int
    minimum: int
    maximum: int
    choices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TextSetting:
    """A text of at most ``max_length`` characters; ``offered``: whether organizers may set it in a form."""

    name: str
    default: str = ""
    max_length: int = 200
    offered: bool = True


Setting = IntegerSetting | TextSetting


def read_settings(game: str, schema: Sequence[Setting], raw: Mapping[str, Json]) -> dict[str, Any]:
    """Every setting of ``schema``, from ``raw`` or its default; raises SettingsError."""
    known = {setting.name: setting for setting in schema}
    for name in raw:
        if name not in known:
            raise SettingsError(name, UNKNOWN_SETTING(game=game, name=repr(name)))
    return {name: _read(setting, raw.get(name, setting.default)) for name, setting in known.items()}


def _read(setting: Setting, value: Json) -> int | str:
    if isinstance(setting, TextSetting):
        if not isinstance(value, str) or len(value) > setting.max_length:
            raise SettingsError(setting.name, TEXT_EXPECTED(most=setting.max_length))
        return value
    if isinstance(value, bool) or not isinstance(value, int) or not setting.minimum <= value <= setting.maximum:
        raise SettingsError(setting.name, WHOLE_NUMBER_EXPECTED(least=setting.minimum, most=setting.maximum))
    return value


@dataclass(frozen=True, slots=True)
class Trial:
    """The short match of the upload check; the bot takes the first seat.

    ``opponent``: the module of the house bot on the other seats, quick and never wrong: the bot is checked, not its
    strength.
    """

    settings: Mapping[str, Json]
    seats: int
    opponent: str


class Termination(StrEnum):
    """Why a match ended; who won is ``Outcome.ranks``."""

    COMPLETED = "completed"  # the rules ended it
    FORFEIT = "forfeit"  # faults left nobody to play against
    RESIGNATION = "resignation"  # a seat gave up
    TIME_LIMIT = "time_limit"  # the match as a whole took longer than it may; nobody wins


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished match, one entry a seat.

    ``points``: of a RANKED game what a place is worth (1, 0.5, 0 of two; a score at a table); of a SCORED game the
    score itself, which may be a fraction or negative and compares across matches.
    ``ranks``: 1 is best, equals share the better rank.
    ``margins``: by how much: a difference of discs, say, or the score, always so in SCORED games; breaks ties.
    ``figures``: what else a seat achieved, by the names of ``Game.figures``; nothing follows from them, but records,
    exports and tables show them. Empty where the rules did not end the match.
    """

    points: tuple[float, ...]
    ranks: tuple[int, ...]
    margins: tuple[float, ...]
    termination: Termination
    figures: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    @property
    def winner(self) -> int | None:
        return only_best(self.ranks)


def by_score(
    scores: Sequence[float],
    out: Collection[int],
    termination: Termination,
    figures: Mapping[str, tuple[float, ...]] | None = None,
) -> Outcome:
    """The outcome of a match whose points are scores: seats that faulted keep theirs and rank below all others."""
    keys = [(seat in out, -score) for seat, score in enumerate(scores)]
    first: dict[tuple[bool, float], int] = {}
    for position, key in enumerate(sorted(keys), start=1):
        first.setdefault(key, position)
    points = tuple(map(float, scores))
    return Outcome(points, tuple(first[key] for key in keys), points, termination, figures or {})


def ended_at_limit(seats: int, out: Collection[int]) -> Outcome:
    """The outcome of a match that was ended at its time limit: no points, and the seats that faulted rank last.

    It is no win for anybody, so only matches that count for nothing may have such a limit.
    """
    last = seats - len(out) + 1
    ranks = tuple(last if seat in out else 1 for seat in range(seats))
    return Outcome((0.0,) * seats, ranks, (0.0,) * seats, Termination.TIME_LIMIT)


def only_best(ranks: Sequence[int | None]) -> int | None:
    """The only best seat; None where several share the first rank, and where one plays alone and beats nobody."""
    best = [seat for seat, rank in enumerate(ranks) if rank == 1]
    return best[0] if len(best) == 1 < len(ranks) else None


class Game(ABC, Generic[StateT, MoveT, SettingsT]):
    """The rules of one game. Seats are numbered from 0."""

    name: ClassVar[str]
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    colors: ClassVar[
        tuple[str, ...]
    ] = ()  # what moves and records call the seats, as in ("X", "O"); empty: only numbered
    schema: ClassVar[tuple[Setting, ...]] = ()  # every setting with its bounds, said once for forms, API and rules
    scoring: ClassVar[Scoring] = Scoring.RANKED
    independent_seats: ClassVar[bool] = False  # with the same seed a seat scores alone what it scores among others
    openings: ClassVar[tuple[str, ...]] = ()  # balanced values of the setting ``opening``, where matches begin by draw
    figures: ClassVar[tuple[str, ...]] = ()  # what outcomes tell of each seat besides points, as columns call it
    trial: ClassVar[Trial]
    bot_messages: ClassVar[Templates] = {}  # what the game's part of the harness reports of a bot
    messages: ClassVar[Templates] = {}  # why the rules refuse a move or a setting, and verdicts on play
    course_files: ClassVar[frozenset[str]] = frozenset()  # that a course hands out: shown last when a bot fails in them
    hides: ClassVar[bool] = False  # whether some viewer sees less than everything while a match runs

    @abstractmethod
    def settings(self, raw: Mapping[str, Json]) -> SettingsT:
        """Settings from JSON, defaults filled in; raises SettingsError."""

    @abstractmethod
    def settings_json(self, settings: SettingsT) -> dict[str, Json]:
        """The inverse of ``settings``, every field present."""

    @abstractmethod
    def initial(self, settings: SettingsT, seats: int, rng: random.Random) -> StateT:
        """The state before the first turn."""

    @abstractmethod
    def most_turns(self, settings: SettingsT) -> int:
        """How many turns a match takes at most."""

    def fresh_start(self, before: StateT, after: StateT) -> bool:
        """Whether every bot is started anew between these two states, so that none remembers what it saw until then.

        ``before`` led to ``after`` in one turn, and the match goes on.
        """
        return False

    def most_starts(self, settings: SettingsT) -> int:
        """How often each bot is started in a match at most."""
        return 1

    @abstractmethod
    def to_move(self, state: StateT) -> tuple[int, ...]:
        """Seats asked in this turn; several in a simultaneous game; empty when the match is over."""

    @abstractmethod
    def shared(self, state: StateT) -> Json:
        """What every seat asked in this turn is told: only what is new since the turn before."""

    @abstractmethod
    def own(self, state: StateT, seat: int) -> Json:
        """What one seat is told besides."""

    @abstractmethod
    def parse(self, state: StateT, seat: int, answer: Json) -> MoveT:
        """The move that an answer means; raises IllegalMove with the reason."""

    @abstractmethod
    def apply(self, state: StateT, moves: Mapping[int, MoveT], out: frozenset[int] = frozenset()) -> StateT:
        """The state after one turn: ``moves`` of the seats that answered; the seats of ``out`` fault and leave."""

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """The result, or None while the match goes on."""

    @abstractmethod
    def view(self, state: StateT, viewer: Viewer) -> dict[str, Json]:
        """What ``viewer`` may see of this state and of the turn that led to it."""

    def shown_move(self, state: StateT, seat: int, move: Json, viewer: Viewer) -> Json:
        """What ``viewer`` may see of an encoded ``move`` that ``seat`` made in ``state``; None where it is hidden."""
        return move

    @abstractmethod
    def encode(self, move: MoveT) -> Json:
        """A move as records keep it."""

    @abstractmethod
    def decode(self, raw: Json) -> MoveT:
        """The inverse of ``encode``; raises ValueError."""


AnyGame = Game[Any, Any, Any]
Games = Mapping[str, AnyGame]  # by their names; the registry has those of the site
