"""The client handles names, addresses and responses correctly, with a fake network."""

from __future__ import annotations

import asyncio
import json
import random
import ssl
from datetime import UTC, datetime, timedelta

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from arena.webhooks.sending.addresses import AddressPolicy
from arena.webhooks.sending.client import DeliveryResponse, Failure, WebhookClient
from arena.webhooks.sending.signature import secret_text, signed_headers
from arena.webhooks.sending.targets import TargetRules, target_of
from arena.webhooks.sending.testing import FakeNetwork
from arena.webhooks.sending.transport import (
    FIRST_PAUSE,
    MAX_PAUSE,
    MAX_REQUESTS,
    HttpTransport,
    SignedRequest,
    retry_delay,
)

OK = b"HTTP/1.1 204 No Content\r\n\r\n"
RULES = TargetRules(ports={443, 8443})
PUBLIC, OTHER = "93.184.215.14", "2606:4700::1111"


def send_message(
    network: FakeNetwork, url: str = "https://hook.example/in", *, seconds: float = 30.0
) -> DeliveryResponse:
    ticks = iter([10.0, 10.25])
    client = WebhookClient(AddressPolicy(), seconds, network.resolve, network.connect, clock=lambda: next(ticks))
    return HttpTransport(RULES, client)([SignedRequest(url, {"webhook-id": "msg_1"}, b'{"a":1}')])[0]


def network(*addresses: str, answer: bytes | Exception | None = OK) -> FakeNetwork:
    return FakeNetwork({"hook.example": [list(addresses)]}, dict.fromkeys(addresses, answer))


def test_message_is_posted_to_the_checked_address_with_its_host_name() -> None:
    wire = network(PUBLIC)
    assert send_message(wire, "https://hook.example:8443/in?x=1") == DeliveryResponse(204, None, 250)
    assert wire.connections == [(PUBLIC, 8443, "hook.example")]
    head, _, body = bytes(wire.requests[0]).partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    assert lines[0] == b"POST /in?x=1 HTTP/1.1"
    assert {b"Host: hook.example:8443", b"Content-Length: 7", b"Connection: close", b"webhook-id: msg_1"} <= set(lines)
    assert body == b'{"a":1}'


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:10.0.0.1", "169.254.169.254", "64:ff9b::7f00:1"])
def test_host_name_with_a_private_address_is_refused(address: str) -> None:
    wire = network(address)
    assert send_message(wire).failure == Failure.ADDRESS
    assert wire.connections == []


def test_one_private_address_among_public_ones_is_refused() -> None:
    wire = network(PUBLIC, "10.0.0.1")
    assert send_message(wire).failure == Failure.ADDRESS
    assert wire.connections == []


def test_dns_rebinding_is_ineffective() -> None:
    """Each delivery resolves the name once; the second is refused, because the name then has a loopback address."""
    wire = FakeNetwork({"hook.example": [[PUBLIC], ["127.0.0.1"]]}, {PUBLIC: OK, "127.0.0.1": OK})
    assert send_message(wire).failure is None
    assert send_message(wire).failure == Failure.ADDRESS
    assert wire.connections == [(PUBLIC, 443, "hook.example")]


def test_redirects_are_not_followed() -> None:
    wire = network(PUBLIC, answer=b"HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1/\r\n\r\n")
    assert send_message(wire) == DeliveryResponse(302, Failure.REDIRECT, 250)
    assert len(wire.connections) == 1


@pytest.mark.parametrize(
    ("answer", "status", "failure"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\nx", 200, None),  # the body is not read
        (b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.0 201 Created\r\n\r\n", 201, None),
        (b"HTTP/1.1 500 Oops\r\n\r\n", 500, Failure.STATUS),
        (b"HTTP/1.1 410 Gone\r\n\r\n", 410, Failure.STATUS),
        (b"SSH-2.0-OpenSSH_9.6\r\n", None, Failure.RESPONSE),
        (b"", None, Failure.RESPONSE),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000, None, Failure.RESPONSE),
        (ConnectionRefusedError(), None, Failure.CONNECTION),
        (ssl.SSLCertVerificationError(), None, Failure.TLS),
    ],
)
def test_responses_are_classified(answer: bytes | Exception, status: int | None, failure: Failure | None) -> None:
    assert send_message(network(PUBLIC, answer=answer)) == DeliveryResponse(status, failure, 250)


def test_unknown_host_name_fails() -> None:
    assert send_message(FakeNetwork({})).failure == Failure.NAME
    assert send_message(FakeNetwork({"hook.example": [[]]})).failure == Failure.NAME


def test_silent_receiver_times_out() -> None:
    assert send_message(network(PUBLIC, answer=None), seconds=0.0).failure == Failure.TIMEOUT


def test_next_address_is_tried_if_one_is_dead() -> None:
    wire = FakeNetwork({"hook.example": [[OTHER, PUBLIC]]}, {PUBLIC: OK})
    assert send_message(wire).failure is None
    assert [address for address, _port, _name in wire.connections] == [OTHER, PUBLIC]


def test_urls_are_validated_again_before_sending() -> None:
    wire = network(PUBLIC)
    assert send_message(wire, "http://hook.example/") == DeliveryResponse(None, Failure.URL)
    assert wire.connections == []


def test_delivery_reaches_a_real_local_receiver() -> None:
    """Over real sockets, a delivery reaches its receiver, and fails if it is redirected or the address is forbidden."""

    async def receive(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        status = b"307 Moved\r\nLocation: http://127.0.0.1:1/" if b"/moved" in head else b"200 OK"
        writer.write(b"HTTP/1.1 " + status + b"\r\n\r\n")
        await writer.drain()
        writer.close()

    async def scenario() -> list[DeliveryResponse]:
        from ipaddress import ip_network

        server = await asyncio.start_server(receive, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        policy = AddressPolicy((ip_network("127.0.0.0/8"),))
        rules = TargetRules(ports={port}, allow_http=True, addresses=policy)
        async with server:
            targets = [target_of(f"http://127.0.0.1:{port}/{path}", rules) for path in ("in", "moved")]
            allowed = [await WebhookClient(policy, 60.0).post(target, {}, b"{}") for target in targets]
            return [*allowed, await WebhookClient(AddressPolicy(), 60.0).post(targets[0], {}, b"{}")]

    answers = asyncio.run(scenario())
    assert [(answer.status, answer.failure) for answer in answers] == [
        (200, None),
        (307, Failure.REDIRECT),
        (None, Failure.ADDRESS),
    ]


# --- signatures


def test_reference_library_verifies_our_signature() -> None:
    key, other = bytes(range(32)), bytes(range(1, 33))
    body = json.dumps({"name": "黑白棋"}, ensure_ascii=False).encode()
    headers = signed_headers([key, other], "msg_1", body, now=datetime.now(UTC))
    for secret in (key, other):
        assert Webhook(secret_text(secret)).verify(body, headers) == {"name": "黑白棋"}
    for wrong in ({**headers, "webhook-id": "msg_2"}, {**headers, "webhook-signature": "v1,AAAA"}):
        with pytest.raises(WebhookVerificationError):
            Webhook(secret_text(key)).verify(body, wrong)
    with pytest.raises(WebhookVerificationError):
        Webhook(secret_text(key)).verify(body + b" ", headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(secret_text(bytes(32))).verify(body, headers)
    old = signed_headers([key], "msg_1", body, now=datetime.now(UTC) - timedelta(minutes=6))
    with pytest.raises(WebhookVerificationError, match="too old"):
        Webhook(secret_text(key)).verify(body, old)


def test_signature_matches_the_specifications_example() -> None:
    """Signing the id, time and body of the specification's example with its secret gives the example's signature."""
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    headers = signed_headers(
        [Webhook(secret)._whsecret],
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        b'{"test": 2432232314}',
        now=datetime.fromtimestamp(1614265330, UTC),
    )
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


# --- backoff


def test_retry_delays_grow_with_jitter_and_end() -> None:
    rng = random.Random(5)
    for requests in range(1, MAX_REQUESTS):
        full = min(FIRST_PAUSE * 4 ** (requests - 1), MAX_PAUSE)
        pauses = [retry_delay(requests, rng) for _ in range(50)]
        assert all(pause is not None and full / 2 <= pause <= full for pause in pauses)
        assert len(set(pauses)) > 40
    assert retry_delay(MAX_REQUESTS, rng) is None
