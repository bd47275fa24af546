"""The interface of a game: pure rules shared by the referee, the site and the local runner.

Invariants: a state is immutable and complete, so the same moves from the same initial state give the same states
everywhere. Randomness after the start comes from a seed in the state, and no game reads a clock, a file, a socket or a
global random generator; callers pass in a seeded ``random.Random``. Nothing that ``view``, ``own``, ``shared`` or
``shown_move`` returns for a viewer reveals what is hidden from that viewer.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any, ClassVar, Final, Generic, TypeVar

from arena.core.messages import Message, Template, Templates, gettext_noop, templates_by_code, verbatim_message

Json = Any  # what json.loads returns: None, bool, int, float, str, list, dict

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
SettingsT = TypeVar("SettingsT")

UNKNOWN_SETTING: Final = Template(
    "settings.unknown",
    gettext_noop("%(game)s has no setting %(name)s. It has these settings: %(settings)s."),
    lists=("settings",),
)
TEXT_EXPECTED: Final = Template("settings.text", gettext_noop("Enter at most %(most)s characters of text."))
WHOLE_NUMBER_EXPECTED: Final = Template(
    "settings.whole_number", gettext_noop("Enter a whole number from %(least)s to %(most)s.")
)
SETTINGS_MESSAGES: Final = templates_by_code(UNKNOWN_SETTING, TEXT_EXPECTED, WHOLE_NUMBER_EXPECTED)


class IllegalMove(ValueError):  # noqa: N818 - the field's own term
    """An answer that the rules reject; the message explains why to the bot's author."""

    def __init__(self, message: Message | str) -> None:
        super().__init__(str(message))
        self.message = message if isinstance(message, Message) else verbatim_message(message)


class SettingsError(ValueError):
    """An invalid game setting; ``field`` is its name."""

    def __init__(self, field: str, message: Message | str) -> None:
        super().__init__(str(message))
        self.field = field
        self.message = message if isinstance(message, Message) else verbatim_message(message)


class Audience(Enum):
    """A viewer without a seat."""

    PUBLIC = "public"  # anybody, during the match
    EVERYBODY = "everybody"  # anybody, once the match is over: nothing is hidden


Viewer = int | Audience  # the number of a seat, or an audience


class Scoring(StrEnum):
    """The meaning of the points in a match."""

    RANKED = "ranked"  # points for ranks among opponents
    SCORED = "scored"  # a score comparable across matches: a seat can play alone, and standings add up the scores


@dataclass(frozen=True, slots=True)
class IntegerSetting:
    """An integer from ``minimum`` to ``maximum``. ``choices``: the values that a form offers, if there are few."""

    name: str
    default: int
    minimum: int
    maximum: int
    choices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TextSetting:
    """A string of at most ``max_length`` characters. ``offered``: whether organizers may set it in a form."""

    name: str
    default: str = ""
    max_length: int = 200
    offered: bool = True


Setting = IntegerSetting | TextSetting


def read_settings(game: str, schema: Sequence[Setting], raw: Mapping[str, Json]) -> dict[str, Any]:
    """Read every setting in ``schema`` from ``raw``, or use its default. Raises SettingsError."""
    known = {setting.name: setting for setting in schema}
    for name in raw:
        if name not in known:
            names = tuple(known) or ("–",)
            raise SettingsError(name, UNKNOWN_SETTING(game=game, name=repr(name), settings=names))
    return {name: _read_setting(setting, raw.get(name, setting.default)) for name, setting in known.items()}


def _read_setting(setting: Setting, value: Json) -> int | str:
    if isinstance(setting, TextSetting):
        if not isinstance(value, str) or len(value) > setting.max_length:
            raise SettingsError(setting.name, TEXT_EXPECTED(most=setting.max_length))
        return value
    if isinstance(value, bool) or not isinstance(value, int) or not setting.minimum <= value <= setting.maximum:
        raise SettingsError(setting.name, WHOLE_NUMBER_EXPECTED(least=setting.minimum, most=setting.maximum))
    return value


@dataclass(frozen=True, slots=True)
class Trial:
    """The short match of the upload check; the bot has the first seat.

    ``opponent``: the house bot in the other seats. It should be fast and never fault, because the match tests whether
    the bot works, not how strong it is.
    """

    settings: Mapping[str, Json]
    seats: int
    opponent: str


class Termination(StrEnum):
    """The reason why a match ended. ``Outcome.ranks`` says who won."""

    COMPLETED = "completed"  # the rules ended it
    FORFEIT = "forfeit"  # faults left no opponents
    RESIGNATION = "resignation"  # a seat resigned
    TIME_LIMIT = "time_limit"  # the match reached its overall time limit; nobody wins


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished match, one entry per seat.

    ``points``: in a RANKED game, the value of the rank (1, 0.5 or 0 for two seats; a score at a larger table); in a
    SCORED game, the score itself, which may be a fraction or negative and is comparable across matches. ``ranks``: 1 is
    best; ties share the better rank. ``margins``: values that break ties in points, such as the piece difference; in a
    SCORED game, always the score. ``figures``: additional statistics under the names of ``Game.figures``, shown in
    records, exports and tables; empty if the rules did not end the match.
    """

    points: tuple[float, ...]
    ranks: tuple[int, ...]
    margins: tuple[float, ...]
    termination: Termination
    figures: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    @property
    def winner(self) -> int | None:
        return sole_winner(self.ranks)


def outcome_by_score(
    scores: Sequence[float],
    out: Collection[int],
    termination: Termination,
    figures: Mapping[str, tuple[float, ...]] | None = None,
) -> Outcome:
    """Return the outcome of a scored match. Seats that faulted keep their scores and rank below all others."""
    keys = [(seat in out, -score) for seat, score in enumerate(scores)]
    first: dict[tuple[bool, float], int] = {}
    for position, key in enumerate(sorted(keys), start=1):
        first.setdefault(key, position)
    points = tuple(map(float, scores))
    return Outcome(points, tuple(first[key] for key in keys), points, termination, figures or {})


def outcome_at_limit(seats: int, out: Collection[int]) -> Outcome:
    """Return the outcome of a match that reached its time limit: no points, and seats that faulted rank last.

    Nobody wins, so only unrated matches may have such a limit.
    """
    last = seats - len(out) + 1
    ranks = tuple(last if seat in out else 1 for seat in range(seats))
    return Outcome((0.0,) * seats, ranks, (0.0,) * seats, Termination.TIME_LIMIT)


def sole_winner(ranks: Sequence[int | None]) -> int | None:
    """Return the best seat; None on a tie for first place, or if there is only one seat."""
    best = [seat for seat, rank in enumerate(ranks) if rank == 1]
    return best[0] if len(best) == 1 < len(ranks) else None


class Game(ABC, Generic[StateT, MoveT, SettingsT]):
    """The rules of one game. Seats are numbered from 0."""

    name: ClassVar[str]
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    colors: ClassVar[tuple[str, ...]] = ()  # seat names in moves and records, such as ("X", "O"); may be empty
    schema: ClassVar[tuple[Setting, ...]] = ()  # the bounds of every setting, for forms, the API and the rules
    scoring: ClassVar[Scoring] = Scoring.RANKED
    independent_seats: ClassVar[bool] = False  # with the same seed, a seat's score does not depend on the other seats
    openings: ClassVar[tuple[str, ...]] = ()  # balanced values of the setting ``opening``, to draw from
    opening_moves: ClassVar[int] = 0  # number of moves in each of ``openings``
    figures: ClassVar[tuple[str, ...]] = ()  # column names of each seat's statistics besides points
    trial: ClassVar[Trial]
    bot_messages: ClassVar[Templates] = {}  # messages from the game's part of the harness
    messages: ClassVar[Templates] = {}  # messages about rejected moves and settings, and verdicts on play
    course_files: ClassVar[frozenset[str]] = frozenset()  # files provided by a course, shown last in tracebacks
    hides: ClassVar[bool] = False  # whether some information is hidden from some viewers during a match

    @abstractmethod
    def settings(self, raw: Mapping[str, Json]) -> SettingsT:
        """Parse settings from JSON and fill in defaults. Raises SettingsError."""

    @abstractmethod
    def settings_json(self, settings: SettingsT) -> dict[str, Json]:
        """Return all settings as JSON."""

    def random_opening(self, moves: int, rng: random.Random) -> str:
        """Draw an ``opening`` that plays ``moves`` random moves.

        The default implementation ignores ``moves`` and draws one of ``openings``.
        """
        return rng.choice(self.openings)

    @abstractmethod
    def initial(self, settings: SettingsT, seats: int, rng: random.Random) -> StateT:
        """Return the state before the first turn."""

    @abstractmethod
    def max_turns(self, settings: SettingsT) -> int:
        """Return the maximum number of turns in a match."""

    def fresh_start(self, before: StateT, after: StateT) -> bool:
        """Return whether all bots restart between these two states, so that no bot remembers earlier observations.

        ``before`` led to ``after`` in one turn, and the match continues.
        """
        return False

    def max_starts(self, settings: SettingsT) -> int:
        """Return the maximum number of times that each bot may be started in a match."""
        return 1

    @abstractmethod
    def to_move(self, state: StateT) -> tuple[int, ...]:
        """Return the seats that must answer: several in a simultaneous game, none when the match is over."""

    @abstractmethod
    def shared(self, state: StateT) -> Json:
        """Return the data sent to all seats that must answer in this turn: only the changes since the previous turn."""

    @abstractmethod
    def own(self, state: StateT, seat: int) -> Json:
        """Return the data that only this seat receives, in addition to ``shared``."""

    @abstractmethod
    def parse(self, state: StateT, seat: int, answer: Json) -> MoveT:
        """Return the move that an answer represents. Raises IllegalMove with the reason."""

    @abstractmethod
    def apply(self, state: StateT, moves: Mapping[int, MoveT], out: frozenset[int] = frozenset()) -> StateT:
        """Return the state after one turn.

        ``moves``: the moves of the seats that answered. ``out``: the seats that faulted, which leave the match.
        """

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """Return the result, or None while the match continues."""

    @abstractmethod
    def view(self, state: StateT, viewer: Viewer) -> dict[str, Json]:
        """Return what ``viewer`` may see of this state and of the turn that led to it."""

    def shown_move(self, state: StateT, seat: int, move: Json, viewer: Viewer) -> Json:
        """Return what ``viewer`` may see of an encoded ``move`` that ``seat`` made in ``state``.

        Returns None if the move is hidden.
        """
        return move

    @abstractmethod
    def encode(self, move: MoveT) -> Json:
        """Encode a move for records."""

    @abstractmethod
    def decode(self, raw: Json) -> MoveT:
        """Decode a move from a record. Raises ValueError."""


AnyGame = Game[Any, Any, Any]
Games = Mapping[str, AnyGame]  # games by name; the registry contains the site's games
