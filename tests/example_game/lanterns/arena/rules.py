"""Lanterns: every night a lantern drifts by, and the highest candle that beats the wind takes it.

Each seat has the candles 1 to 9. Every night the seats in turn lay one of them face down; after the last seat, the
candles and the wind are revealed. A single highest candle takes the lantern if it is higher than the wind, and its seat
scores the lantern's light. Equal highest candles blow each other out.

Invariants: lanterns and winds are derived only from ``luck`` and the number of the night. During a night, a candle is
visible only to its own seat until it is revealed, and the wind to nobody.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from arena.core.messages import Template, gettext_noop, templates_by_code
from arena.games.base import (
    Audience,
    Game,
    IllegalMove,
    IntegerSetting,
    Json,
    Outcome,
    Scoring,
    Termination,
    Trial,
    Viewer,
    outcome_by_score,
    read_settings,
)

CANDLES: Final = range(1, 10)
LIGHTS: Final = range(1, 10)
WINDS: Final = range(1, 9)
_DEFAULT_NIGHTS: Final = 5

NO_CANDLE: Final = Template(
    "illegal.lanterns.no_candle", gettext_noop("an answer is the number of a candle, as in 7, not %(answer)s")
)
NOT_IN_HAND: Final = Template("illegal.lanterns.not_in_hand", gettext_noop("candle %(candle)s is not in your hand"))


@dataclass(frozen=True, slots=True)
class LanternsSettings:
    nights: int = _DEFAULT_NIGHTS


@dataclass(frozen=True, slots=True)
class Night:
    """A finished night.

    ``candles``: each seat's candle, None for a seat that is out; ``taker``: the seat that took the lantern, if any.
    """

    lantern: int
    wind: int
    candles: tuple[int | None, ...]
    taker: int | None


@dataclass(frozen=True, slots=True)
class LanternsState:
    """The state of a match.

    ``luck``: the seed of lanterns and winds; ``over``: the past nights; ``laid``: the candles laid tonight, by seat.
    """

    settings: LanternsSettings
    luck: int
    laid: tuple[int | None, ...]
    over: tuple[Night, ...] = ()
    out: frozenset[int] = frozenset()

    @property
    def lantern(self) -> int:
        return random.Random(f"lantern {self.luck} {len(self.over)}").choice(LIGHTS)

    @property
    def wind(self) -> int:
        return random.Random(f"wind {self.luck} {len(self.over)}").choice(WINDS)

    @property
    def is_over(self) -> bool:
        return len(self.over) == self.settings.nights or len(self.out) == len(self.laid)

    def hand(self, seat: int) -> list[int]:
        """Return the candles that a seat has not laid on any finished night."""
        burnt = {night.candles[seat] for night in self.over}
        return [candle for candle in CANDLES if candle not in burnt]

    def score(self, seat: int) -> int:
        return sum(night.lantern for night in self.over if night.taker == seat)


class Lanterns(Game[LanternsState, int, LanternsSettings]):
    """The rules of play. A move is the number of a candle."""

    name = "lanterns"
    min_seats = 1
    max_seats = 3
    colors = ("red", "gold", "blue")
    scoring = Scoring.SCORED
    hides = True
    messages = templates_by_code(NO_CANDLE, NOT_IN_HAND)
    trial = Trial({"nights": 3}, 2, "random_candle")
    schema = (IntegerSetting("nights", _DEFAULT_NIGHTS, 1, len(CANDLES)),)

    def settings(self, raw: Mapping[str, Json]) -> LanternsSettings:
        return LanternsSettings(**read_settings("Lanterns", self.schema, raw))

    def settings_json(self, settings: LanternsSettings) -> dict[str, Json]:
        return {"nights": settings.nights}

    def initial(self, settings: LanternsSettings, seats: int, rng: random.Random) -> LanternsState:
        if not self.min_seats <= seats <= self.max_seats:
            raise ValueError(f"Lanterns has {self.min_seats} to {self.max_seats} seats, not {seats}.")
        return LanternsState(settings, rng.getrandbits(32), (None,) * seats)

    def max_turns(self, settings: LanternsSettings) -> int:
        return settings.nights * self.max_seats

    def to_move(self, state: LanternsState) -> tuple[int, ...]:
        if state.is_over:
            return ()
        return next((seat,) for seat, candle in enumerate(state.laid) if candle is None and seat not in state.out)

    def shared(self, state: LanternsState) -> Json:
        """Return the lantern and all finished nights, because another worker may resume a person's match."""
        return {"lantern": state.lantern, "history": [_night_json(night) for night in state.over]}

    def own(self, state: LanternsState, seat: int) -> Json:
        return {"hand": state.hand(seat), "score": state.score(seat)}

    def parse(self, state: LanternsState, seat: int, answer: Json) -> int:
        if isinstance(answer, bool) or not isinstance(answer, int):
            raise IllegalMove(NO_CANDLE(answer=repr(answer)[:60]))
        if answer not in state.hand(seat):
            raise IllegalMove(NOT_IN_HAND(candle=answer))
        return answer

    def apply(self, state: LanternsState, moves: Mapping[int, int], out: frozenset[int] = frozenset()) -> LanternsState:
        laid = tuple(moves.get(seat, candle) for seat, candle in enumerate(state.laid))
        state = replace(state, laid=laid, out=state.out | out)
        if len(state.out) == len(laid) or any(c is None and seat not in state.out for seat, c in enumerate(laid)):
            return state
        night = Night(state.lantern, state.wind, laid, _winning_seat(laid, state.wind))
        return replace(state, laid=(None,) * len(laid), over=(*state.over, night))

    def outcome(self, state: LanternsState) -> Outcome | None:
        if not state.is_over:
            return None
        everybody_left = len(state.out) == len(state.laid)
        scores = [state.score(seat) for seat in range(len(state.laid))]
        return outcome_by_score(scores, state.out, Termination.FORFEIT if everybody_left else Termination.COMPLETED)

    def view(self, state: LanternsState, viewer: Viewer) -> dict[str, Json]:
        """Return the view. ``laid``: each seat's candle, True if face down for the viewer, None before it is laid."""
        seats = range(len(state.laid))
        seen = [viewer in (seat, Audience.EVERYBODY) for seat in seats]
        to_move = self.to_move(state)
        return {
            "night": min(len(state.over) + 1, state.settings.nights),
            "nights": state.settings.nights,
            "lantern": None if state.is_over else state.lantern,
            "wind": state.wind if viewer is Audience.EVERYBODY and not state.is_over else None,
            "laid": [candle if seen[seat] or candle is None else True for seat, candle in enumerate(state.laid)],
            "hands": [
                [candle for candle in state.hand(seat) if not (seen[seat] and candle == state.laid[seat])]
                for seat in seats
            ],
            "scores": [state.score(seat) for seat in seats],
            "previous": _night_json(state.over[-1]) if state.over else None,
            "to_move": to_move[0] if to_move else None,
            "out": sorted(state.out),
        }

    def shown_move(self, state: LanternsState, seat: int, move: Json, viewer: Viewer) -> Json:
        return move if viewer in (seat, Audience.EVERYBODY) else None

    def encode(self, move: int) -> Json:
        return move

    def decode(self, raw: Json) -> int:
        if isinstance(raw, bool) or not isinstance(raw, int):
            raise ValueError(f"{raw!r} is no candle.")
        return raw


def _winning_seat(candles: tuple[int | None, ...], wind: int) -> int | None:
    laid = [candle for candle in candles if candle is not None]
    highest = max(laid)
    return candles.index(highest) if highest > wind and laid.count(highest) == 1 else None


def _night_json(night: Night) -> dict[str, Json]:
    return {"lantern": night.lantern, "wind": night.wind, "candles": list(night.candles), "taker": night.taker}


GAME: Final = Lanterns()
