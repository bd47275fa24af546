import copy
import json
import zlib

import pytest

from arena.core.referee.record import Record, RecordError, dump, load
from arena.core.referee.replay import verify
from arena.games.registry import GAMES
from tests.core.referee.games import golden_record, reversi_record


@pytest.mark.parametrize("make", [reversi_record, golden_record])
def test_a_record_survives_storage(make) -> None:  # type: ignore[no-untyped-def]
    record = make()
    assert load(dump(record)) == record
    assert Record.from_json(record.to_json()) == record
    assert verify(record, GAMES) == []


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
