"""Players light lanterns each night from a supply of ten units of oil; every lantern scores a point."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from arena.core.messages import Template, gettext_noop, templates_by_code
from arena.games.base import (
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


@dataclass(frozen=True, slots=True)
class State:
    nights: int
    oil: tuple[int, ...]
    night: int = 0
    out: frozenset[int] = frozenset()


class LanternsGame(Game[State, int, dict[str, Any]]):
    name = "lanterns"
    min_seats, max_seats = 1, 3
    schema = (IntegerSetting("nights", 3, 1, 9),)
    scoring = Scoring.SCORED
    trial = Trial({"nights": 3}, 2, "steady")
    bot_messages = templates_by_code(
        Template("bot.lanterns.lines", gettext_noop("It plays as a script of lanterns.")),
        Template("bot.lanterns.no_number", gettext_noop("a number of lanterns is expected, not %(value)s")),
    )

    def settings(self, raw: Mapping[str, Json]) -> dict[str, Any]:
        return read_settings(self.name, self.schema, raw)

    def settings_json(self, settings: dict[str, Any]) -> dict[str, Json]:
        return settings

    def initial(self, settings: dict[str, Any], seats: int, rng: random.Random) -> State:
        return State(settings["nights"], (10,) * seats)

    def max_turns(self, settings: dict[str, Any]) -> int:
        nights: int = settings["nights"]
        return nights

    def to_move(self, state: State) -> tuple[int, ...]:
        return tuple(seat for seat in range(len(state.oil)) if state.night < state.nights and seat not in state.out)

    def shared(self, state: State) -> Json:
        return {"night": state.night}

    def own(self, state: State, seat: int) -> Json:
        return {"oil": state.oil[seat]}

    def parse(self, state: State, seat: int, answer: Json) -> int:
        if not isinstance(answer, int) or not 0 <= answer <= state.oil[seat]:
            raise IllegalMove("there is not so much oil")
        return answer

    def apply(self, state: State, moves: Mapping[int, int], out: frozenset[int] = frozenset()) -> State:
        oil = tuple(left - moves.get(seat, 0) for seat, left in enumerate(state.oil))
        return replace(state, oil=oil, night=state.night + 1, out=state.out | out)

    def outcome(self, state: State) -> Outcome | None:
        if self.to_move(state):
            return None
        ended = Termination.COMPLETED if len(state.out) < len(state.oil) else Termination.FORFEIT
        return outcome_by_score([10 - left for left in state.oil], state.out, ended)

    def view(self, state: State, viewer: Viewer) -> dict[str, Json]:
        return {"night": state.night, "oil": list(state.oil)}

    def encode(self, move: int) -> Json:
        return move

    def decode(self, raw: Json) -> int:
        return int(raw)


GAME = LanternsGame()
