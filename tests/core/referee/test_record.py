import copy
import json
import zlib

import msgspec
import pytest

from arena.core.referee.record import Record, RecordedMove, RecordedTurn, RecordError, dump, load
from arena.core.referee.replay import verify
from arena.games.registry import GAMES
from tests.core.referee.matches import golden_record, reversi_record


@pytest.mark.parametrize("make", [reversi_record, golden_record])
def test_record_survives_storage(make) -> None:  # type: ignore[no-untyped-def]
    record = make()
    assert load(dump(record)) == record
    assert Record.from_json(record.to_json()) == record
    assert verify(record, GAMES) == []


def test_record_of_twenty_thousand_turns_has_moderate_size() -> None:
    """A match of a hundred games with two hundred moves each has a record of moderate size."""
    record = reversi_record()
    moves = [
        RecordedMove(0, index % 4, seconds=index % 977 / 1e6, cpu=index % 83 / 1e5, wall=index % 9973 / 1e6)
        for index in range(20_000)
    ]
    turns = [RecordedTurn(number, [move]) for number, move in enumerate(moves, start=1)]
    long = msgspec.structs.replace(record, turns=turns)
    data = dump(long)
    assert load(data) == long
    assert len(data) < 1_000_000


def test_record_contains_moves_times_and_refusals() -> None:
    move = reversi_record().turns[0].moves[0]
    assert (move.seat, move.move, move.seconds) == (0, "C4", 1.25)
    assert move.refused == 1


def test_version_1_record_is_read_without_quoted_data() -> None:
    record = reversi_record()
    old = copy.deepcopy(record.to_json()) | {"version": 1}
    read = msgspec.structs.replace(record, version=2)
    old["turns"][0]["moves"][0]["refused"] = ["'A1'"]
    for turn in old["turns"][1:]:
        turn["moves"][0].pop("refused", None)
    assert Record.from_json(old) == read
    assert load(zlib.compress(json.dumps(old).encode())) == read
    assert verify(read, GAMES) == []
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
        zlib.compress(b'{"version":3}'),
        dump(reversi_record())[:-10],
    ],
)
def test_invalid_record_is_refused(data: bytes) -> None:
    with pytest.raises(RecordError):
        load(data)


def test_unknown_version_is_named_in_the_error() -> None:
    raw = reversi_record().to_json() | {"version": 4}
    for read in (lambda: Record.from_json(raw), lambda: load(zlib.compress(b'{"version":4,"new":1}'))):
        with pytest.raises(RecordError) as refused:
            read()
        assert refused.value.message.code == "record.unknown_version"
        assert refused.value.message.parameters["version"] == 4


@pytest.mark.parametrize("version", ["0.1.0", None, 0, [3]])
def test_file_with_another_kind_of_version_is_not_a_record(version: object) -> None:
    with pytest.raises(RecordError) as refused:
        Record.from_json({"version": version, "name": "package"})
    assert refused.value.message.code == "record.damaged"


def test_version_2_record_is_read_and_written_unchanged() -> None:
    old = reversi_record().to_json() | {"version": 2}
    text = zlib.compress(json.dumps(old).encode())
    assert load(text) == Record.from_json(old)
    assert load(text).to_json() == old
    assert verify(load(text), GAMES) == []
    with pytest.raises(RecordError, match="no secret"):
        Record.from_json(old | {"secret": "ab" * 16})


@pytest.mark.parametrize("secret", ["abc", "zz", "AB", 7, "ab" * 1_000])
def test_secret_must_be_hexadecimal(secret: object) -> None:
    with pytest.raises(RecordError):
        Record.from_json(reversi_record().to_json() | {"secret": secret})
