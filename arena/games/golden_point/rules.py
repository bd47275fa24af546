"""The golden point: the number nearest to 0.618 times the mean wins the round.

Invariants: a round is complete once every seat has answered or left. Scores are ints; numbers and distances
are doubles and are compared exactly; the sum for the mean is correctly rounded (``math.fsum``), so the order of the
seats never matters. A seat that has left keeps its score and is no longer asked.
"""

from __future__ import annotations

import math
import random
import re
import struct
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from arena.core.messages import Message, Template, gettext_noop, templates_by_code
from arena.games.base import (
    Game,
    IllegalMove,
    IntegerSetting,
    Json,
    Outcome,
    Termination,
    Trial,
    Viewer,
    outcome_by_score,
    read_settings,
)
from arena.games.golden_point.verdict_messages import VERDICTS

BOT_MESSAGES: Final = templates_by_code(
    Template("bot.golden_point.golden_lines", gettext_noop("The bot is a script written for the golden-point course.")),
)

Numbers = tuple[float, ...]  # one seat's move in a round: one number or two

RATIO: Final = 0.618
MIN_NUMBER, MAX_NUMBER = 0.0, 100.0  # valid numbers are strictly between these
MAX_NUMBERS: Final = 2  # per seat and round
FARTHEST_LOSES: Final = 2
MAX_ROUNDS: Final = 2000
MAX_SEATS: Final = 500
_DEFAULT_NUMBERS: Final = 2
_DEFAULT_ROUNDS: Final = 100
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_MAX_DECIMAL_CHARACTERS: Final = 400  # characters: a double never needs more than a few dozen

ONE_EXPECTED: Final = Template("golden_point.one_number", gettext_noop("this match expects one number"))
PAIR_EXPECTED: Final = Template("golden_point.pair", gettext_noop("this match expects a pair of numbers"))
NUMBER_EXPECTED: Final = Template("golden_point.number", gettext_noop("expected a number, got %(kind)s"))
OUT_OF_RANGE: Final = Template("golden_point.range", gettext_noop("a number must be greater than 0 and less than 100"))
_KINDS: Final = {
    "str": Template("golden_point.kind.text", gettext_noop("text")),
    "bool": Template("golden_point.kind.bool", gettext_noop("a Boolean value")),
    "list": Template("golden_point.kind.list", gettext_noop("a list")),
    "dict": Template("golden_point.kind.dict", gettext_noop("a dictionary")),
    "NoneType": Template("golden_point.kind.none", gettext_noop("None")),
}


@dataclass(frozen=True, slots=True)
class RoundScore:
    """The score of a round.

    ``golden``: the golden number; ``nearest`` and ``farthest``: the seats with the numbers nearest to it and farthest
    from it; ``gains``: the points gained by each seat.
    """

    golden: float
    nearest: tuple[int, ...]
    farthest: tuple[int, ...]
    gains: tuple[int, ...]


def score_round(numbers: Sequence[Numbers | None]) -> RoundScore:
    """Score a round. ``numbers``: by seat; None for a seat that did not submit. Raises ValueError if no seat did.

    Let N be the number of seats that submitted. A seat with a nearest number gets N, a seat with a farthest number
    loses 2, and a seat with both gets N - 2. If all distances are equal, all numbers are nearest and none is farthest.
    If N = 1, the seat scores 0.
    """
    played = [(seat, own) for seat, own in enumerate(numbers) if own is not None]
    if not played:
        raise ValueError("A round needs at least one pick.")
    golden = RATIO * (math.fsum(x for _, own in played for x in own) / sum(len(own) for _, own in played))
    distances = [(seat, [abs(x - golden) for x in own]) for seat, own in played]
    least = min(min(own) for _, own in distances)
    most = max(max(own) for _, own in distances)
    nearest = tuple(seat for seat, own in distances if least in own)
    farthest = tuple(seat for seat, own in distances if most in own) if most > least else ()
    gains = [0] * len(numbers)
    if len(played) > 1:
        for seat in nearest:
            gains[seat] += len(played)
        for seat in farthest:
            gains[seat] -= FARTHEST_LOSES
    return RoundScore(golden, nearest, farthest, tuple(gains))


@dataclass(frozen=True, slots=True)
class GoldenPointSettings:
    """The match settings. ``numbers``: numbers per seat per round, 1 or 2; ``rounds``: number of rounds."""

    numbers: int = _DEFAULT_NUMBERS
    rounds: int = _DEFAULT_ROUNDS


@dataclass(frozen=True, slots=True)
class GoldenPointState:
    """The state after ``round`` rounds.

    ``numbers`` and ``score`` belong to the last round and are empty before the first.
    """

    settings: GoldenPointSettings
    scores: tuple[int, ...]
    round: int = 0
    numbers: tuple[Numbers | None, ...] = ()
    score: RoundScore | None = None
    out: frozenset[int] = frozenset()

    @property
    def seats_in(self) -> tuple[int, ...]:
        """Return the seats that have not left, in order."""
        return tuple(seat for seat in range(len(self.scores)) if seat not in self.out)


class GoldenPointGame(Game[GoldenPointState, Numbers, GoldenPointSettings]):
    """The rules of play. A move is a tuple of one or two numbers, depending on the settings."""

    name = "golden_point"
    min_seats = 2
    max_seats = MAX_SEATS
    bot_messages = BOT_MESSAGES
    messages = templates_by_code(
        ONE_EXPECTED, PAIR_EXPECTED, NUMBER_EXPECTED, OUT_OF_RANGE, *_KINDS.values(), *VERDICTS
    )
    trial = Trial({"numbers": 2, "rounds": 10}, 4, "last_golden")
    schema = (
        IntegerSetting("numbers", _DEFAULT_NUMBERS, 1, MAX_NUMBERS, choices=(2, 1)),
        IntegerSetting("rounds", _DEFAULT_ROUNDS, 1, MAX_ROUNDS),
    )

    def settings(self, raw: Mapping[str, Json]) -> GoldenPointSettings:
        return GoldenPointSettings(**read_settings("The golden point", self.schema, raw))

    def settings_json(self, settings: GoldenPointSettings) -> dict[str, Json]:
        return {"numbers": settings.numbers, "rounds": settings.rounds}

    def initial(self, settings: GoldenPointSettings, seats: int, rng: random.Random) -> GoldenPointState:
        if not self.min_seats <= seats <= self.max_seats:
            raise ValueError(f"The golden-point game has {self.min_seats} to {self.max_seats} seats, not {seats}.")
        return GoldenPointState(settings, (0,) * seats)

    def max_turns(self, settings: GoldenPointSettings) -> int:
        return settings.rounds

    def to_move(self, state: GoldenPointState) -> tuple[int, ...]:
        return () if state.round == state.settings.rounds else state.seats_in

    def shared(self, state: GoldenPointState) -> Json:
        """Return the packed numbers of the last round.

        Packing keeps the numbers exact and saves time, because most bots at a large table never unpack them.
        """
        previous = None
        if state.score is not None:
            silent = [seat for seat, own in enumerate(state.numbers) if own is None]
            previous = {"golden": state.score.golden, "numbers": pack_numbers(state.numbers), "silent": silent}
        return {"round": state.round + 1, "previous": previous}

    def own(self, state: GoldenPointState, seat: int) -> Json:
        return {"score": state.scores[seat]}

    def parse(self, state: GoldenPointState, seat: int, answer: Json) -> Numbers:
        wanted = state.settings.numbers
        values = answer if isinstance(answer, list | tuple) else [answer]
        if len(values) != wanted:
            raise IllegalMove(PAIR_EXPECTED() if wanted == 2 else ONE_EXPECTED())
        return tuple(_number(value) for value in values)

    def apply(
        self, state: GoldenPointState, moves: Mapping[int, Numbers], out: frozenset[int] = frozenset()
    ) -> GoldenPointState:
        if moves.keys() | out != set(state.seats_in):
            raise ValueError("Every remaining seat must answer or leave.")
        if not moves:
            return replace(state, numbers=(None,) * len(state.scores), score=None, out=state.out | out)
        numbers = tuple(moves.get(seat) for seat in range(len(state.scores)))
        score = score_round(numbers)
        scores = tuple(old + gain for old, gain in zip(state.scores, score.gains, strict=True))
        return GoldenPointState(state.settings, scores, state.round + 1, numbers, score, state.out | out)

    def outcome(self, state: GoldenPointState) -> Outcome | None:
        everybody_left = len(state.out) == len(state.scores)
        if state.round < state.settings.rounds and not everybody_left:
            return None
        return outcome_by_score(
            state.scores, state.out, Termination.FORFEIT if everybody_left else Termination.COMPLETED
        )

    def view(self, state: GoldenPointState, viewer: Viewer) -> dict[str, Json]:
        score = state.score
        return {
            "round": state.round,
            "rounds": state.settings.rounds,
            "golden": score.golden if score else None,
            "numbers": _numbers_json(state),
            "gains": list(score.gains) if score else [0] * len(state.scores),
            "scores": list(state.scores),
            "nearest": list(score.nearest) if score else [],
            "farthest": list(score.farthest) if score else [],
            "out": sorted(state.out),
        }

    def encode(self, move: Numbers) -> Json:
        return list(move)

    def decode(self, raw: Json) -> Numbers:
        if not isinstance(raw, list):
            raise ValueError(f"{raw!r} is not a list of numbers.")
        return tuple(_number(value) for value in raw)


def pack_numbers(numbers: Sequence[Numbers | None]) -> str:
    """Encode the numbers as Base64 of little-endian doubles, seat by seat; omit seats that played no numbers."""
    played = [x for own in numbers if own is not None for x in own]
    return b64encode(struct.pack(f"<{len(played)}d", *played)).decode("ascii")


def read_decimal(text: str) -> float | None:
    """Parse a number in plain decimal or exponent notation as the nearest double; None for any other text.

    ``float`` alone would accept ``nan``, ``1_0`` and digits of other writing systems.
    """
    return float(text) if len(text) <= _MAX_DECIMAL_CHARACTERS and _DECIMAL.fullmatch(text) else None


def is_valid(number: float) -> bool:
    """Return whether a number may be played; NaN may not."""
    return MIN_NUMBER < number < MAX_NUMBER


def _number(value: Json) -> float:
    """Parse one number of an answer. Raises IllegalMove unless it is strictly between 0 and 100."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise IllegalMove(NUMBER_EXPECTED(kind=_type_name(value)))
    if not is_valid(value):  # integers too large for a double are invalid too
        raise IllegalMove(OUT_OF_RANGE())
    return float(value)


def _type_name(value: Json) -> Message | str:
    name = type(value).__name__
    return _KINDS[name]() if name in _KINDS else name


def _numbers_json(state: GoldenPointState) -> list[Json]:
    numbers = state.numbers or (None,) * len(state.scores)
    return [None if own is None else list(own) for own in numbers]


GAME: Final = GoldenPointGame()
