"""Parsing ends in bounded time with a documented type or error, whatever bytes a bot sends or logs."""

from __future__ import annotations

import json
import math
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.core.referee import protocol
from arena.core.referee.diagnosis import PRINTED_BYTES, SOURCE_LINE_CHARS, location_in_log, output_between
from arena.core.referee.protocol import (
    MAX_ANSWER_ITEMS,
    MAX_REPLY_BYTES,
    Answer,
    BadMessage,
    CodeFailed,
    ProtocolEndpoint,
    Reply,
    StartDone,
    UnusableAnswer,
    decode,
)
from bots.sdk import answers
from tests.core.fuzzing import budget, is_clean, within_time_limit

NONCE = "0123456789abcdef"
# Inputs on which JSON libraries disagree, and extensions that they accept.
TOKENS = [
    b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999", b"1e-999", b"-0", b"-0.0", b"01", b"+1", b".5", b"1.",
    b"0x1", b"9" * 400, b"-" + b"9" * 20, b"9007199254740993", b"18446744073709551616", b"true", b"false", b"null",
    b'""', b'"\\ud800"', b'"\\ud83d\\ude00"', b'"\\udc00\\ud800"', b'"\\u0000"', b'"\\\\u0000"', b'"\x00"',
    b'"\x1f"', b'"\x7f"', b'"\xed\xa0\x80"', b'"\xff"', b'"\xc0\x80"', b'"\xf4\x90\x80\x80"', b'"\\x41"', b"'a'",
    b"[[[[", b"{}", b"[]", b"//", b"\xef\xbb\xbf",
]  # fmt: skip
TEXT = st.text(st.characters(), max_size=30)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=70) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=80
)
NAMES = st.sampled_from(
    [
        "t",
        "nonce",
        "value",
        "note",
        "text",
        "cause",
        "message",
        "traceback",
        "file",
        "line",
        "source_line",
        "module",
        "x",
    ]
)
KINDS = st.sampled_from(["done", "answer", "unusable", "failed", "win", ""])
CAUSES = st.sampled_from([*protocol.Cause, "other"])


def as_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=True).encode()


MESSAGES = st.builds(
    lambda kind, cause, fields: as_json({"t": kind, "nonce": NONCE, "cause": cause, "message": "m", **fields}),
    KINDS,
    CAUSES,
    st.dictionaries(NAMES, VALUES, max_size=4),
) | st.builds(
    lambda kind, fields: as_json({"t": kind, "nonce": NONCE, **fields}),
    KINDS,
    st.dictionaries(NAMES, VALUES, max_size=2),
)


@st.composite
def mutate(draw: st.DrawFn) -> bytes:
    """Draw a nearly valid message, with bytes removed, duplicated or replaced by tokens that trip up parsers."""
    data = draw(MESSAGES)
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 12)))
        data = (
            data[:start]
            + draw(st.sampled_from(TOKENS) | st.binary(max_size=6) | st.just(data[start:end] * 2))
            + data[end:]
        )
    return data


@st.composite
def templates(draw: st.DrawFn) -> bytes:
    """Draw an answer whose value is an unusual token, alone or in a list."""
    token = draw(st.sampled_from(TOKENS))
    value = token if draw(st.booleans()) else b"[1," + token + b"]"
    return b'{"t":"answer","nonce":"' + NONCE.encode() + b'","value":' + value + b"}"


def check_scalar(value: object) -> None:
    assert type(value) in (int, float, str)
    if isinstance(value, str):
        assert len(value) <= 4_000
        assert is_clean(value)
    else:
        assert isinstance(value, (int, float))
        assert math.isfinite(value)
        assert isinstance(value, float) or abs(value) <= 2**53


def check_reply(reply: object) -> None:
    assert isinstance(reply, (StartDone, Answer, UnusableAnswer, CodeFailed))
    for name in reply.__struct_fields__:
        value = getattr(reply, name)
        if isinstance(value, str):
            assert len(value) <= 32_000
            assert is_clean(value)
        elif isinstance(value, list):
            assert len(value) <= MAX_ANSWER_ITEMS
            for item in value:
                check_scalar(item)
        elif isinstance(value, dict):
            assert len(value) <= 8
            for item in (*value, *value.values()):
                check_scalar(item)
        elif value is not None:
            check_scalar(value)


def decode_or_refuse(payload: bytes) -> None:
    reply: Reply | None
    with within_time_limit():
        try:
            reply = decode(payload)
        except BadMessage as error:
            reply = None
            reason = str(error)
    if reply is None:
        assert is_clean(reason)
        assert len(reason) < 1_000
    else:
        check_reply(reply)


PAYLOADS = st.binary(max_size=400) | templates() | mutate()


@pytest.mark.long
@given(PAYLOADS)
@budget(500)
@example(b"[" * MAX_REPLY_BYTES)
@example(b'{"a":' * (MAX_REPLY_BYTES // 5))
@example(b'"' + b"\\" * (MAX_REPLY_BYTES - 2) + b'"')
@example(b"\\u0000" * (MAX_REPLY_BYTES // 6))
@example(b'{"t":"answer","nonce":"n","value":' + b"1" * 65_000 + b"}")
@example(b'{"t":"answer","nonce":"n","value":1' + b"0" * 60_000 + b"e-60000}")
@example(b'{"t":"answer","nonce":"n","value":[' + b"1," * 32_000 + b"1]}")
def test_decoder_survives_arbitrary_bytes(payload: bytes) -> None:
    decode_or_refuse(payload)


@pytest.mark.long
@given(PAYLOADS)
@budget(1500)
def test_decoder_survives_many_arbitrary_bytes(payload: bytes) -> None:
    decode_or_refuse(payload)


@pytest.mark.long
@given(st.sampled_from(list(protocol.RequestKind)), st.lists(mutate() | st.binary(max_size=60), min_size=1, max_size=3))
@budget(300)
def test_endpoint_accepts_one_reply_of_the_right_kind(kind: protocol.RequestKind, payloads: list[bytes]) -> None:
    line = ProtocolEndpoint(lambda: NONCE)
    line.open(protocol.Request(0, kind, b'"do":"x"}'))
    taken = []
    for payload in payloads:
        try:
            taken.append(line.accept(payload))
        except BadMessage:
            continue
        finally:
            assert not line.is_waiting
    assert len(taken) <= 1
    for reply in taken:
        check_reply(reply)
        assert reply.nonce == NONCE
        assert isinstance(reply, CodeFailed) or isinstance(reply, StartDone) is kind.is_start


@pytest.mark.long
@given(VALUES | st.lists(SCALARS, max_size=66))
@budget(500)
@example("\\u0000")
@example(["\\\\u0000", 0.1, -0.0, 2**53])
def test_referee_accepts_every_answer_that_the_harness_accepts(value: Any) -> None:
    """The referee decodes every answer that the harness accepts; the harness reports other answers as unusable."""
    try:
        plain = answers.to_json_values(value)
    except answers.Unusable as unusable:
        fields = {"code": unusable.code, "parameters": answers.truncate_parameters(unusable.parameters)}
        text = json.dumps({"t": "unusable", "nonce": NONCE, **fields}, ensure_ascii=False)
        assert isinstance(decode(text.encode()), UnusableAnswer)
        return
    sent = json.dumps({"t": "answer", "nonce": NONCE, "value": plain}, ensure_ascii=False, allow_nan=False)
    reply = decode(sent.encode())
    assert isinstance(reply, Answer)
    check_reply(reply)


LOG_PIECES = [
    b"Stack (most recent call first):\n",
    b"Current thread 0x00007f",
    b"Timeout (0:00:01)!\n",
    b'  File "/bot/main.py", line 1 in get_move\n',
    b'  File "main.py", line 999999999 in x\n',
    b'  File "/etc/passwd", line 1 in x\n',
    b'  File "../outside.py", line 1 in x\n',
    b'  File "',
    b'", line 9',
    b"\xff\xfe\x00",
    b"\r\n",
    "\u202e".encode(),
    b"\xed\xa0\x80",
]


@pytest.mark.long
@example(b"Stack (most recent call first):\n")
@given(st.lists(st.sampled_from(LOG_PIECES) | st.binary(max_size=50), max_size=60).map(b"".join))
@budget(300)
@example(b'  File "' * 30_000)
@example(b"Timeout (" * 30_000)
def test_log_reader_survives_arbitrary_logs(log: bytes) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "bot")
        folder.mkdir()
        (folder / "main.py").write_text("first line\n", encoding="utf-8")
        Path(name, "outside.py").write_text("outside\n", encoding="utf-8")
        with within_time_limit():
            shown, location = output_between(log, 0, None), location_in_log(log, folder)
    assert is_clean(shown)
    assert len(shown) <= PRINTED_BYTES
    assert not set(shown) & {chr(code) for code in range(32)} - {"\n", "\t"}
    if location is not None:
        assert location.file == "main.py"
        assert location.line > 0
        assert location.source_line in ("first line", "")
        assert len(location.source_line) <= SOURCE_LINE_CHARS
