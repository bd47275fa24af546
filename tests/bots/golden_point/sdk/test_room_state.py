"""A bot's state is correct after it joins a running room, and while other players join."""

from __future__ import annotations

from typing import Any

from arena.games.golden_point.rules import Numbers, pack_numbers
from bots.golden_point.sdk.adapter import GoldenPointAdapter


def round_report(golden: float, *numbers: Numbers | None) -> dict[str, Any]:
    silent = [seat for seat, own in enumerate(numbers) if own is None]
    return {"golden": golden, "numbers": pack_numbers(numbers), "silent": silent}


def observe_rounds(
    adapter: GoldenPointAdapter, number: int, players: int, *missed: dict[str, Any], seat: int = 1
) -> Any:
    shared = {"round": number, "rounds": 9, "players": players, "previous": None, "missed": list(missed)}
    adapter.observe({"score": number, "seat": seat}, shared)
    return adapter.state()


def create_adapter() -> GoldenPointAdapter:
    load = {"seat": 5, "seats": 6, "settings": {"numbers": 1, "rounds": 2}}
    adapter = GoldenPointAdapter(load)
    adapter.begin({"score": 0})
    return adapter


def test_bot_can_receive_several_rounds_and_its_seat_in_one_message() -> None:
    state = observe_rounds(create_adapter(), 3, 2, round_report(6.18, (10.0,)), round_report(12.36, None, (20.0,)))
    assert (state.round, state.rounds, state.players, state.seat, state.score) == (3, 9, 2, 1, 3)
    assert state.golden == [6.18, 12.36]
    assert state.history == [[(10.0,), None], [None, (20.0,)]]


def test_late_joiner_is_absent_in_earlier_rounds() -> None:
    adapter = create_adapter()
    first = observe_rounds(adapter, 2, 1, round_report(6.18, (10.0,)))
    assert first.history == [[(10.0,)]]
    second = observe_rounds(adapter, 3, 3, round_report(6.18, (10.0,), None, (10.0,)))
    assert second.history == [[(10.0,), None, None], [(10.0,), None, (10.0,)]]
    assert len(first.history) == 1


def test_match_sends_one_round_per_message() -> None:
    adapter = create_adapter()
    adapter.observe({"score": 4}, {"round": 2, "previous": round_report(6.18, (10.0,))})
    state = adapter.state()
    assert (state.seat, state.players, state.rounds, state.golden) == (5, 6, 2, [6.18])
    assert state.history == [[(10.0,)]]
