"""Replaying records through the rules shows every turn and detects anything that contradicts the rules."""

import copy

import pytest

from arena.core.referee.record import Record
from arena.core.referee.replay import replay, verify
from arena.games.base import Json
from arena.games.registry import GAMES
from tests.core.referee.matches import golden_record, reversi_record


def change_record(record: Record, *path: Json, value: Json) -> Record:
    raw = copy.deepcopy(record.to_json())
    place = raw
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return Record.from_json(raw)


def codes(record: Record) -> list[str]:
    return [problem.code for problem in verify(record, GAMES)]


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
    ("path", "value", "code", "parameters"),
    [
        (("turns", 0, "moves", 0, "move"), "A1", "record.illegal_move", {"turn": 1, "seat": 0, "move": "'A1'"}),
        (("turns", 0, "moves", 0, "move"), 7, "record.illegal_move", {"move": "7"}),
        (("turns", 0, "moves", 0, "seat"), 1, "record.wrong_seats", {"turn": 1, "expected": "[0]", "recorded": "[1]"}),
        (("turns", 0, "moves", 0, "seat"), 9, "record.invalid_seats", {"turn": 1}),
        (("turns", 1, "number"), 5, "record.wrong_number", {"turn": 2, "number": 5}),
        (("outcome", "points"), [0.5, 0.5], "record.wrong_outcome", {"figure": "points", "recorded": "[0.5, 0.5]"}),
        (
            ("outcome", "termination"),
            "forfeit",
            "record.wrong_outcome",
            {"figure": "termination", "recorded": "forfeit"},
        ),
        (("seats",), [], "record.invalid_settings", {}),
        (("game",), "chess", "record.unknown_game", {"game": "'chess'"}),
        (("settings",), {"opening": "A1"}, "record.invalid_settings", {}),
    ],
)
def test_verify_finds_errors(path: tuple[Json, ...], value: Json, code: str, parameters: dict[str, Json]) -> None:
    problem = verify(change_record(reversi_record(), *path, value=value), GAMES)[0]
    assert problem.code == code
    assert parameters.items() <= problem.parameters.items()


def test_verify_detects_missing_and_extra_turns() -> None:
    record = reversi_record()
    cut = change_record(record, "turns", value=record.to_json()["turns"][:-1])
    assert codes(cut) == ["record.unfinished"]
    doubled = [*record.to_json()["turns"], {"number": len(record.turns) + 1, "moves": []}]
    assert codes(change_record(record, "turns", value=doubled)) == ["record.after_end"]


def test_verify_refuses_moves_after_a_fault() -> None:
    raw = golden_record().to_json()
    raw["turns"][2]["moves"].append({"seat": 2, "move": [1.0, 2.0]})
    assert codes(Record.from_json(raw)) == ["record.invalid_seats"]
