"""Records through the rules: every turn is shown, and what the rules do not bear out is found."""

import copy

import pytest

from arena.core.referee.record import Record
from arena.core.referee.replay import replay, verify
from arena.games.base import Json
from arena.games.registry import GAMES
from tests.core.referee.games import golden_record, reversi_record


def changed(record: Record, *path: Json, value: Json) -> Record:
    raw = copy.deepcopy(record.to_json())
    place = raw
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return Record.from_json(raw)


def test_replay_shows_every_turn() -> None:
    record = reversi_record()
    turns = replay(record, GAMES)
    assert len(turns) == len(record.turns) + 1
    assert (turns[0]["number"], turns[0]["moves"]) == (0, [])
    assert turns[1]["moves"][0]["move"] == "C4"
    assert turns[1]["moves"][0]["fault"] is None
    assert turns[1]["view"]["last"] == "C4"


def test_replay_shows_faults() -> None:
    turns = replay(golden_record(), GAMES)
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
    problems = verify(changed(reversi_record(), *path, value=value), GAMES)
    assert problems
    assert told in " ".join(problems)


def test_verify_misses_no_turn() -> None:
    record = reversi_record()
    cut = changed(record, "turns", value=record.to_json()["turns"][:-1])
    assert verify(cut, GAMES) == ["The match is not over after the last turn."]
    doubled = [*record.to_json()["turns"], {"number": len(record.turns) + 1, "moves": []}]
    assert "after the end" in verify(changed(record, "turns", value=doubled), GAMES)[0]


def test_verify_knows_that_a_fault_is_final() -> None:
    raw = golden_record().to_json()
    raw["turns"][2]["moves"].append({"seat": 2, "move": [1.0, 2.0]})
    assert "after its elimination" in verify(Record.from_json(raw), GAMES)[0]
