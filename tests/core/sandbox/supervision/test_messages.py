"""The referee's decoder refuses invalid messages that hostile bots send from a real jail."""

from __future__ import annotations

import pickle

import pytest

from arena.core.referee import protocol
from arena.core.referee.protocol import MAX_ANSWER_ITEMS, Answer, BadMessage, ProtocolEndpoint
from arena.core.sandbox.errors import MessageTooLarge
from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.sandbox.jailed_bots import jailed_bot

pytestmark = pytest.mark.sandbox

REQUEST = protocol.move_request(0, {"color": "X"}, protocol.encode_shared({"board": "."}))


def answer_with_value(value: bytes) -> bytes:
    """Return an answer with this JSON value, and with a placeholder for the nonce, which only the bot knows."""
    return b'{"t":"answer","nonce":"NONCE","value":' + value + b"}"


BAD = {
    "garbage": b"garbage",
    "an empty object": b"{}",
    "a list": b"[]",
    "half of one": answer_with_value(b'"D3"')[:-8],
    "two in one": answer_with_value(b'"D3"') * 2,
    "forged": answer_with_value(b'"D3"').replace(b"NONCE", b"0" * 32),
    "forged, empty": answer_with_value(b'"D3"').replace(b"NONCE", b""),
    "forged, not ASCII": answer_with_value(b'"D3"').replace(b"NONCE", "é".encode()),
    "a nonce that is a number": answer_with_value(b'"D3"').replace(b'"NONCE"', b"0"),
    "of another kind": b'{"t":"done","nonce":"NONCE"}',
    "of an unknown kind": b'{"t":"win","nonce":"NONCE"}',
    "an unknown field": b'{"t":"answer","nonce":"NONCE","value":1,"points":9}',
    "deep": answer_with_value(b"[" * 60_000),
    "deep and closed": answer_with_value(b"[" * 30_000 + b"]" * 30_000),
    "deep in an unknown field": b'{"x":' + b"[" * 60_000,
    "NaN": answer_with_value(b"NaN"),
    "infinity": answer_with_value(b"Infinity"),
    "1e999": answer_with_value(b"1e999"),
    "-1e999 in a list": answer_with_value(b"[1,-1e999]"),
    "bigint": answer_with_value(b"9" * 5_000),
    "bigint in a list": answer_with_value(b"[" + b"9" * 400 + b"]"),
    "a bit too big": answer_with_value(str(2**53 + 1).encode()),
    "bool": answer_with_value(b"true"),
    "bool in a list": answer_with_value(b"[1,false]"),
    "an object": answer_with_value(b'{"x":1}'),
    "surrogate": answer_with_value(b'"\\ud800"'),
    "surrogate as bytes": answer_with_value(b'"\xed\xa0\x80"'),
    "NUL": answer_with_value(b'"\\u0000"'),
    "NUL as a byte": answer_with_value(b'"\x00"'),
    "no UTF-8": answer_with_value(b'"\xff"'),
    "pickle": pickle.dumps({"t": "answer", "value": 1}),
    "too long a text": answer_with_value(b'"' + b"x" * 5_000 + b'"'),
    "too long a list": answer_with_value(b"[" + b"1," * MAX_ANSWER_ITEMS + b"1]"),
}


@pytest.mark.parametrize("name", BAD)
def test_invalid_reply_is_refused(fork_server: ForkServer, name: str) -> None:
    line = ProtocolEndpoint()
    body = f"nonce = receive()['nonce']\nos.write(3, {BAD[name]!r}.replace(b'NONCE', nonce.encode()))"
    with jailed_bot(fork_server, body) as bot:
        bot.process.send(line.open(REQUEST))
        with pytest.raises(BadMessage):
            line.accept(bot.receive_bytes())
    assert not line.is_waiting


def test_valid_answer_is_accepted(fork_server: ForkServer) -> None:
    line = ProtocolEndpoint()
    with jailed_bot(fork_server, "send({'t': 'answer', 'nonce': receive()['nonce'], 'value': 'D3'})") as bot:
        bot.process.send(line.open(REQUEST))
        answer = line.accept(bot.receive_bytes())
        assert isinstance(answer, Answer)
        assert answer.value == "D3"


def test_early_answer_is_rejected(fork_server: ForkServer) -> None:
    with (
        jailed_bot(fork_server, "send({'t': 'answer', 'nonce': '0' * 32, 'value': 'D3'})") as bot,
        pytest.raises(BadMessage),
    ):
        ProtocolEndpoint().accept(bot.receive_bytes())


def test_second_answer_is_rejected(fork_server: ForkServer) -> None:
    line = ProtocolEndpoint()
    body = "answer = {'t': 'answer', 'nonce': receive()['nonce'], 'value': 'D3'}\nsend(answer)\nsend(answer)"
    with jailed_bot(fork_server, body) as bot:
        bot.process.send(line.open(REQUEST))
        line.accept(bot.receive_bytes())
        with pytest.raises(BadMessage) as refused:
            line.accept(bot.receive_bytes())
    assert refused.value.message.code == "channel.unasked"


def test_answer_to_an_earlier_request_is_refused(fork_server: ForkServer) -> None:
    line = ProtocolEndpoint()
    body = """
        answer = {'t': 'answer', 'nonce': receive()['nonce'], 'value': 'D3'}
        send(answer)
        receive()
        send(answer)
    """
    with jailed_bot(fork_server, body) as bot:
        bot.process.send(line.open(REQUEST))
        line.accept(bot.receive_bytes())
        bot.process.send(line.open(REQUEST))
        with pytest.raises(BadMessage) as refused:
            line.accept(bot.receive_bytes())
    assert refused.value.message.code == "channel.wrong_nonce"


def test_oversized_message_is_refused_unread(fork_server: ForkServer) -> None:
    with jailed_bot(fork_server, "os.write(3, b'[' * 70_000)") as bot, pytest.raises(MessageTooLarge):
        bot.receive_bytes()
