"""The example game follows its rules, and no viewer sees hidden candles or the wind."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from arena.core.referee.events import MatchEvent, MatchStarted, TurnPlayed
from arena.core.referee.faults import FaultKind
from arena.core.referee.record import dump, load
from arena.core.referee.replay import verify
from arena.core.referee.testing import ScriptedTurn
from arena.games.base import Audience, IllegalMove, Json, SettingsError, Termination, Viewer
from tests.example_game.lanterns.arena.rules import GAME, Lanterns, LanternsSettings, LanternsState, Night
from tests.example_game.playing import GAMES, match_spec, play_bots, play_highest, play_lowest


def initial_state(seats: int, nights: int = 5) -> LanternsState:
    return GAME.initial(LanternsSettings(nights), seats, Random(7))


def lay_candles(state: LanternsState, *candles: int) -> LanternsState:
    for seat, candle in enumerate(candles):
        state = GAME.apply(state, {seat: candle})
    return state


@pytest.mark.parametrize(
    ("candles", "is_taken_by"), [((9,), 0), ((1,), None), ((9, 8, 1), 0), ((9, 9, 8), None), ((1, 1), None)]
)
def test_unique_highest_candle_beating_the_wind_takes_the_lantern(
    candles: tuple[int, ...], is_taken_by: int | None
) -> None:
    before = initial_state(len(candles))
    state = lay_candles(before, *candles)
    assert state.over == (Night(before.lantern, before.wind, candles, is_taken_by),)
    scores = [before.lantern if seat == is_taken_by else 0 for seat in range(len(candles))]
    assert [state.score(seat) for seat in range(len(candles))] == scores


def test_seats_move_in_order_and_use_each_candle_once() -> None:
    state = initial_state(3)
    assert [GAME.to_move(state), GAME.to_move(lay_candles(state, 4)), GAME.to_move(lay_candles(state, 4, 5))] == [
        (0,),
        (1,),
        (2,),
    ]
    state = lay_candles(state, 4, 5, 6)
    assert GAME.to_move(state) == (0,)
    assert state.hand(0) == [1, 2, 3, 5, 6, 7, 8, 9]
    with pytest.raises(IllegalMove, match="candle 4 is not in your hand"):
        GAME.parse(state, 0, 4)
    assert GAME.parse(state, 1, 4) == 4


@pytest.mark.parametrize("answer", [True, None, "4", 2.0, [3]])
def test_non_integer_answers_are_illegal(answer: Json) -> None:
    with pytest.raises(IllegalMove, match="the number of a candle"):
        GAME.parse(initial_state(1), 0, answer)


def test_settings_are_bounded() -> None:
    assert GAME.settings_json(GAME.settings({})) == {"nights": 5}
    with pytest.raises(SettingsError, match="1 to 9"):
        GAME.settings({"nights": 10})


def test_seed_determines_lanterns_and_winds() -> None:
    sky = [(night.lantern, night.wind) for night in _play_nights(1)]
    assert sky == [(night.lantern, night.wind) for night in _play_nights(1)]
    assert sky != [(night.lantern, night.wind) for night in _play_nights(2)]


def _play_nights(seed: int) -> tuple[Night, ...]:
    state = GAME.initial(LanternsSettings(9), 1, Random(seed))
    for candle in range(1, 10):
        state = lay_candles(state, candle)
    return state.over


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_match_is_played_recorded_and_verified(seats: int) -> None:
    result, _, _ = play_bots(match_spec(seats, nights=9), *[play_highest, play_lowest, play_lowest][:seats])
    assert result.outcome.termination is Termination.COMPLETED
    assert result.outcome.points[0] > 0
    assert len(result.record.turns) == 9 * seats
    record = load(dump(result.record))
    assert verify(record, GAMES) == []
    first = record.turns[0]
    forged = replace_move(first.moves[0], 8 if first.moves[0].move == 9 else 9)
    turns = [type(first)(first.number, [forged]), *record.turns[1:]]
    assert verify(type(record)(**{**record_fields(record), "turns": turns}), GAMES)


def record_fields(record: object) -> dict[str, Json]:
    return {name: getattr(record, name) for name in record.__struct_fields__}  # type: ignore[attr-defined]


def replace_move(move: Json, candle: int) -> Json:
    return type(move)(**{**record_fields(move), "move": candle})


def test_faulted_seat_keeps_its_points_and_the_others_continue() -> None:
    def crash_midway(request: Json) -> ScriptedTurn:
        if len(request["shared"]["history"]) < 2:
            return play_highest(request)
        return ScriptedTurn(failed={"cause": "exit", "message": "bye"})

    result, _, _ = play_bots(match_spec(3, nights=9), play_lowest, crash_midway, play_lowest)
    assert [found.kind if found else None for found in result.diagnoses] == [None, FaultKind.EXIT, None]
    assert result.outcome.ranks[1] == 3
    assert result.outcome.points[1] > 0
    assert verify(result.record, GAMES) == []


# --- hidden information ---------------------------------------------------------------------------


class OtherWind(Lanterns):
    """The game Lanterns with the usual lantern but a different wind on the first night."""

    def initial(self, settings: LanternsSettings, seats: int, rng: Random) -> LanternsState:
        state = super().initial(settings, seats, rng)
        others = (replace(state, luck=luck) for luck in range(10_000))
        return next(one for one in others if one.lantern == state.lantern and one.wind != state.wind)


def sent_events(events: list[MatchEvent], viewer: Viewer) -> bytes:
    return json.dumps([one.to_json(viewer) for one in events if isinstance(one, MatchStarted | TurnPlayed)]).encode()


def test_views_of_a_running_night_do_not_depend_on_hidden_state() -> None:
    """If only the wind and seat 0's candle differ, seat 1 and the public get equal bytes until all candles are laid."""
    ended: list[list[MatchEvent]] = []
    received = []
    for game, first in ((GAME, play_lowest), (OtherWind(), play_highest)):
        _, events, players = play_bots(match_spec(2, game, nights=1), first, play_lowest)
        ended.append(events)
        received.append(
            [{name: value for name, value in one.items() if name != "nonce"} for one in players[1].requests]
        )
    assert received[0] == received[1]
    first_turns = [_events_until_first_turn(events) for events in ended]
    assert len(first_turns[0]) >= 2
    for viewer in (Audience.PUBLIC, 1):
        assert sent_events(first_turns[0], viewer) == sent_events(first_turns[1], viewer)
    for viewer in (Audience.EVERYBODY, 0):
        assert sent_events(first_turns[0], viewer) != sent_events(first_turns[1], viewer)
    assert sent_events(ended[0], Audience.PUBLIC) != sent_events(ended[1], Audience.PUBLIC), "then all is turned up"


def _events_until_first_turn(events: list[MatchEvent]) -> list[MatchEvent]:
    return events[: 1 + next(n for n, one in enumerate(events) if isinstance(one, TurnPlayed))]


def test_candles_are_hidden_until_all_seats_have_moved() -> None:
    state = lay_candles(initial_state(2), 8)
    assert GAME.view(state, Audience.PUBLIC)["laid"] == GAME.view(state, 1)["laid"] == [True, None]
    assert GAME.view(state, 0)["laid"] == [8, None]
    assert 8 in GAME.view(state, 1)["hands"][0]
    assert 8 not in GAME.view(state, 0)["hands"][0]
    assert GAME.view(state, 0)["wind"] is None
    assert GAME.shown_move(state, 0, 8, 1) is None
    assert GAME.view(GAME.apply(state, {1: 2}), 1)["previous"]["candles"] == [8, 2]
