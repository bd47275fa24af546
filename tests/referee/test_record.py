import copy
import json
import zlib

import pytest

from arena.games.base import Json
from arena.referee.clock import FakeClock
from arena.referee.record import Record, RecordError, dump, load, replay, verify
from arena.referee.testing import ScriptedPlayer, Turn
from tests.referee.games import first_legal, golden_spec, referee, reversi_spec


def reversi_record() -> Record:
    clock = FakeClock()
    players = [
        ScriptedPlayer(clock, [Turn("A1"), Turn("c4", takes=1.25)], then=first_legal),
        ScriptedPlayer(clock, then=first_legal),
    ]
    return referee(reversi_spec(), players, clock)[0].record


def golden_record() -> Record:
    clock = FakeClock()
    players = [ScriptedPlayer(clock, then=lambda _: Turn([20, 30.5])) for _ in range(2)]
    players.append(ScriptedPlayer(clock, [Turn([1, 2]), Turn(raw=b"x")]))
    return referee(golden_spec(rounds=3), players, clock)[0].record


def changed(record: Record, *path: Json, value: Json) -> Record:
    raw = copy.deepcopy(record.to_json())
    place = raw
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return Record.from_json(raw)


@pytest.mark.parametrize("make", [reversi_record, golden_record])
def test_a_record_survives_storage(make) -> None:  # type: ignore[no-untyped-def]
    record = make()
    assert load(dump(record)) == record
    assert Record.from_json(record.to_json()) == record
    assert verify(record) == []


def test_a_record_tells_moves_times_and_refusals() -> None:
    move = reversi_record().turns[0].moves[0]
    assert (move.seat, move.move, move.seconds) == (0, "C4", 1.25)
    assert move.refused == 1


def test_a_record_of_version_1_is_read_without_what_it_quotes() -> None:
    record = reversi_record()
    old = copy.deepcopy(record.to_json()) | {"version": 1}
    old["turns"][0]["moves"][0]["refused"] = ["'A1': A1 is not legal here"]
    for turn in old["turns"][1:]:
        turn["moves"][0].pop("refused", None)
    assert Record.from_json(old) == record
    assert load(zlib.compress(json.dumps(old).encode())) == record
    with pytest.raises(RecordError):
        Record.from_json(old | {"turns": [{"moves": [{"refused": 1}]}]})


def test_replay_shows_every_turn() -> None:
    record = reversi_record()
    turns = replay(record)
    assert len(turns) == len(record.turns) + 1
    assert (turns[0]["number"], turns[0]["moves"]) == (0, [])
    assert turns[1]["moves"][0]["move"] == "C4"
    assert turns[1]["moves"][0]["fault"] is None
    assert turns[1]["view"]["last"] == "C4"


def test_replay_shows_faults() -> None:
    turns = replay(golden_record())
    assert [move["fault"] for move in turns[2]["moves"]] == [None, None, "bad_message"]
    assert turns[2]["view"]["out"] == [2]


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("turns", 0, "moves", 0, "move"), "A1", "A1"),
        (("turns", 0, "moves", 0, "move"), 7, "7"),
        (("turns", 0, "moves", 0, "seat"), 1, "were to move"),
        (("turns", 0, "moves", 0, "seat"), 9, "does not exist"),
        (("turns", 1, "number"), 5, "numbered 5"),
        (("outcome", "points"), [0.5, 0.5], "points"),
        (("outcome", "termination"), "forfeit", "termination"),
        (("seats",), [], "settings"),
        (("game",), "chess", "chess"),
        (("settings",), {"opening": "A1"}, "settings"),
    ],
)
def test_verify_finds_what_is_wrong(path: tuple[Json, ...], value: Json, told: str) -> None:
    problems = verify(changed(reversi_record(), *path, value=value))
    assert problems
    assert told in " ".join(problems)


def test_verify_misses_no_turn() -> None:
    record = reversi_record()
    cut = changed(record, "turns", value=record.to_json()["turns"][:-1])
    assert verify(cut) == ["The match is not over after the last turn."]
    doubled = [*record.to_json()["turns"], {"number": len(record.turns) + 1, "moves": []}]
    assert "after the end" in verify(changed(record, "turns", value=doubled))[0]


def test_verify_knows_that_a_fault_is_final() -> None:
    raw = golden_record().to_json()
    raw["turns"][2]["moves"].append({"seat": 2, "move": [1.0, 2.0]})
    assert "after it was out" in verify(Record.from_json(raw))[0]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"garbage",
        zlib.compress(b"garbage"),
        zlib.compress(b"[]"),
        zlib.compress(b'{"version":1}'),
        zlib.compress(b'{"version":2}'),
        dump(reversi_record())[:-10],
    ],
)
def test_what_is_no_record_is_refused(data: bytes) -> None:
    with pytest.raises(RecordError):
        load(data)


def test_an_unknown_version_is_named() -> None:
    raw = reversi_record().to_json() | {"version": 3}
    with pytest.raises(RecordError, match="version 3"):
        Record.from_json(raw)
    with pytest.raises(RecordError, match="version 3"):
        load(zlib.compress(b'{"version":3,"new":1}'))
