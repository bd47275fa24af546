import json

import pytest

from arena.core.referee import protocol
from arena.core.referee.protocol import (
    Answer,
    BadMessage,
    CodeFailed,
    ProtocolEndpoint,
    Request,
    StartDone,
    UnusableAnswer,
)


def open_endpoint(kind: str = "move") -> ProtocolEndpoint:
    opened = ProtocolEndpoint(lambda: "n0nce")
    requests = {
        "move": protocol.move_request(0, {"color": "X"}, protocol.encode_shared({"board": "."})),
        "load": protocol.load_request(0, 2, "reversi", {}, 10.0, 60.0),
        "import": protocol.import_request(0),
        "construct": protocol.construct_request(0, {"color": "X"}),
        "again": protocol.retry_request(0, "no"),
    }
    opened.open(requests[kind])
    return opened


def reply(**fields: object) -> bytes:
    return json.dumps({"t": "answer", "nonce": "n0nce", "value": "D3", **fields}).encode()


def failed_reply(**fields: object) -> bytes:
    return json.dumps({"t": "failed", "nonce": "n0nce", "cause": "exception", "message": "m", **fields}).encode()


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (protocol.import_request(3), {"do": "import"}),
        (protocol.construct_request(3, {"color": "X"}), {"do": "construct", "own": {"color": "X"}}),
        (
            protocol.move_request(3, {"score": 2}, protocol.encode_shared([1, 2])),
            {"do": "move", "own": {"score": 2}, "shared": [1, 2]},
        ),
        (protocol.retry_request(3, 'say "D3"'), {"do": "again", "reason": 'say "D3"'}),
    ],
)
def test_request_is_a_json_object_with_its_nonce(request_: Request, expected: dict[str, object]) -> None:
    assert json.loads(ProtocolEndpoint(lambda: "abc").open(request_)) == {"nonce": "abc", **expected}


def test_nonces_differ() -> None:
    assert len({protocol.fresh_nonce() for _ in range(100)}) == 100


def test_replies_are_typed() -> None:
    assert open_endpoint().accept(reply()) == Answer("n0nce", "D3")
    assert open_endpoint().accept(reply(value=[1, 2.5])) == Answer("n0nce", [1, 2.5])
    assert open_endpoint("load").accept(b'{"t":"done","nonce":"n0nce"}') == StartDone("n0nce")
    assert open_endpoint().accept(b'{"t":"unusable","nonce":"n0nce","text":"a set"}') == UnusableAnswer(
        "n0nce", "a set"
    )
    failed = open_endpoint("import").accept(b'{"t":"failed","nonce":"n0nce","cause":"exit","message":"m"}')
    assert isinstance(failed, CodeFailed)


def test_list_of_a_few_hundred_numbers_is_an_answer() -> None:
    assert (
        open_endpoint().accept(reply(value=[0.125] * protocol.MAX_ANSWER_ITEMS)).value
        == [0.125] * protocol.MAX_ANSWER_ITEMS
    )


def test_every_reply_except_an_answer_may_carry_a_code() -> None:
    reported = open_endpoint().accept(failed_reply(code="bot.no_method", parameters={"name": "get_move", "line": 3}))
    assert isinstance(reported, CodeFailed)
    assert (reported.code, reported.parameters) == ("bot.no_method", {"name": "get_move", "line": 3})
    done = open_endpoint("load").accept(
        b'{"t":"done","nonce":"n0nce","note":"n","code":"bot.x","parameters":{"a":1.5}}'
    )
    assert done == StartDone("n0nce", "n", "bot.x", {"a": 1.5})
    unusable = open_endpoint().accept(b'{"t":"unusable","nonce":"n0nce","text":"a set","code":"bot.x"}')
    assert unusable == UnusableAnswer("n0nce", "a set", "bot.x")


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"garbage",
        b"null",
        b"[]",
        b"{}",
        b"\x80\x04]q\x00.",  # pickle
        reply(nonce="other"),
        reply(nonce=""),
        reply(nonce="\u00e9"),
        reply(extra=1),
        reply(t="move"),
        reply(value=True),
        reply(value=[True]),
        reply(value={"a": 1}),
        reply(value=2**53 + 1),
        reply(value="\0"),
        reply(value="x" * 5_000),
        reply(value="x" * protocol.MAX_REPLY_BYTES),
        reply(value=[1] * (protocol.MAX_ANSWER_ITEMS + 1)),
        failed_reply(code="fault.timeout"),  # a code reserved for the referee
        failed_reply(code="bot.x" * 20),
        failed_reply(code="bot.%(x)s"),
        failed_reply(code="bot.x", parameters={"x" * 40: 1}),
        failed_reply(code="bot.x", parameters={f"p{'x' * n}": n for n in range(9)}),
        failed_reply(code="bot.x", parameters={"x": ["nested"]}),
        failed_reply(code="bot.x", parameters={"x": "y" * 2_000}),
        reply(value="\ud800"),
        b'{"t":"answer","nonce":"n0nce","value":NaN}',
        b'{"t":"answer","nonce":"n0nce","value":Infinity}',
        b'{"t":"answer","nonce":"n0nce","value":1e999}',
        b'{"t":"answer","nonce":"n0nce","value":-1e999}',
        b'{"t":"answer","nonce":"n0nce","value":' + b"9" * 400 + b"}",
        b'{"t":"answer","nonce":"n0nce","value":' + b"[" * 60_000,
        b'{"t":"answer","nonce":"n0nce","deep":' + b"[" * 60_000,
        b'{"t":"answer","nonce":"n0nce","value":"\xff"}',
        b'{"t":"done","nonce":"n0nce"}',  # not the reply that was asked for
    ],
)
def test_malformed_or_dishonest_replies_are_refused(payload: bytes) -> None:
    with pytest.raises(BadMessage):
        open_endpoint().accept(payload)


def test_reply_without_a_request_is_refused() -> None:
    with pytest.raises(BadMessage):
        ProtocolEndpoint().accept(reply())


def test_second_reply_to_a_request_is_refused() -> None:
    opened = open_endpoint()
    opened.accept(reply())
    with pytest.raises(BadMessage):
        opened.accept(reply())


def test_answer_before_the_start_is_refused() -> None:
    with pytest.raises(BadMessage):
        open_endpoint("construct").accept(reply())


def test_only_one_request_may_be_open() -> None:
    with pytest.raises(RuntimeError):
        open_endpoint().open(protocol.import_request(0))


def test_code_is_formatted_by_its_template() -> None:
    """The wording is the subject: only the template has it."""
    reported = open_endpoint().accept(
        b'{"t":"unusable","nonce":"n0nce","code":"bot.answer.items","parameters":{"n":99}}'
    )
    assert reported == UnusableAnswer("n0nce", "get_move returned 99 items", "bot.answer.items", {"n": 99})


@pytest.mark.parametrize("code", ["bot.answer.items", "bot.nobody.knows.it"])
def test_code_without_template_or_parameters_shows_the_bots_own_text(code: str) -> None:
    own = open_endpoint().accept(f'{{"t":"unusable","nonce":"n0nce","text":"odd","code":"{code}"}}'.encode())
    assert own == UnusableAnswer("n0nce", "odd", code)
    bare = open_endpoint().accept(f'{{"t":"unusable","nonce":"n0nce","code":"{code}"}}'.encode())
    assert bare == UnusableAnswer("n0nce", code, code)
