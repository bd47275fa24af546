"""A match of Suit Pairs played by the referee is recorded, verified and exported."""

from __future__ import annotations

import msgspec

from arena.core.referee.clock import FakeClock
from arena.core.referee.record import Record, dump, load
from arena.core.referee.replay import replay, verify
from arena.core.referee.spec import MatchLimits, MatchSpec, SeatSpec
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.games.base import Json
from arena.games.suit_pairs.notation import moves_text
from arena.games.suit_pairs.rules import GAME
from tests.core.referee.matches import play_to_end

GAMES = {GAME.name: GAME}


def first_legal(request: Json) -> ScriptedTurn:
    return ScriptedTurn(request["own"]["legal"][0])


def last_legal(request: Json) -> ScriptedTurn:
    return ScriptedTurn(request["own"]["legal"][-1])


def play_recorded_match(**settings: int) -> Record:
    """Record a match between a player that always takes the first legal action and one that takes the last."""
    clock = FakeClock()
    players = [ScriptedPlayer(clock, then=then) for then in (first_legal, last_legal)]
    spec = MatchSpec(GAME, settings, 1, MatchLimits(), (SeatSpec("first", ""), SeatSpec("last", "")))
    return load(dump(play_to_end(spec, players, clock)[0].record))


def test_record_is_verified_and_a_forged_move_is_detected() -> None:
    record = play_recorded_match(deals=1)
    assert verify(record, GAMES) == []
    turns = list(record.turns)
    number = next(n for n, turn in enumerate(turns) if turn.moves[0].move == "pair")
    (move,) = turns[number].moves
    turns[number] = msgspec.structs.replace(turns[number], moves=[msgspec.structs.replace(move, move="KS")])
    assert verify(msgspec.structs.replace(record, turns=turns), GAMES)


def test_all_cards_are_revealed_after_the_end() -> None:
    record = play_recorded_match(deals=1)
    turns = list(replay(record, GAMES))
    assert len(turns) == 1 + len(record.turns)
    for turn in turns:
        view = turn["view"]
        assert [len(hand) for hand in view["hands"]] == view["hand_sizes"]
        assert all(move["move"] is not None for move in turn["moves"])


def test_download_lists_actions_by_deal() -> None:
    record = play_recorded_match(deals=1)
    lines = moves_text(record, ["Ann", "Ben"]).splitlines()
    assert lines[0] == "# deal 1 of 2, Ann begins"
    assert "# deal 2 of 2, Ben begins" in lines
    done = [line.split("\t") for line in lines if not line.startswith("#")]
    assert {kind for _, _, kind, *_ in done} >= {"pair", "swap", "capture"}
    assert {who for _, who, *_ in done} == {"Ann", "Ben"}
    points = [line for line in lines if line.startswith("# points")]
    assert len(points) == 2
    totals = [sum(int(line.replace(",", " ").split()[place]) for line in points) for place in (3, 5)]
    assert totals[0] - totals[1] == record.outcome.margins[0]
