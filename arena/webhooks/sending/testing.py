"""Fakes for tests: a transport with canned responses, and a network of names, addresses and responses."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from socket import gaierror

from arena.webhooks.sending.client import DeliveryResponse
from arena.webhooks.sending.transport import SignedRequest

ACCEPTED = DeliveryResponse(204, None, 12)


@dataclass
class FakeTransport:
    """A transport with canned responses for each URL, the last one repeated; messages to other URLs are accepted."""

    answers: dict[str, list[DeliveryResponse]] = field(default_factory=dict)
    sent: list[SignedRequest] = field(default_factory=list)

    def __call__(self, messages: Sequence[SignedRequest]) -> list[DeliveryResponse]:
        self.sent.extend(messages)
        return [self._answer(message.url) for message in messages]

    def _answer(self, url: str) -> DeliveryResponse:
        script = self.answers.get(url) or [ACCEPTED]
        return script.pop(0) if len(script) > 1 else script[0]


class _Transport(asyncio.WriteTransport):
    def abort(self) -> None:
        """Do nothing: nothing was opened."""


class _Writer(asyncio.StreamWriter):
    """A writer that records the written bytes."""

    def __init__(self) -> None:
        self.written = bytearray()

    def __del__(self) -> None:
        """Do nothing: nothing was opened."""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data

    async def drain(self) -> None:
        """Do nothing: nothing is buffered."""

    @property
    def transport(self) -> asyncio.WriteTransport:
        return _Transport()


@dataclass
class FakeNetwork:
    """A fake network.

    ``names``: for each host name, the addresses that each successive lookup returns; ``answers``: for each address,
    the bytes of its response, None if it never responds, or the exception that connecting raises.
    """

    names: Mapping[str, list[list[str]]]
    answers: Mapping[str, bytes | Exception | None] = field(default_factory=dict)
    connections: list[tuple[str, int, str | None]] = field(default_factory=list)
    requests: list[bytearray] = field(default_factory=list)

    async def resolve(self, host: str, port: int) -> list[str]:
        script = self.names.get(host)
        if script is None:
            raise gaierror(host)
        return script.pop(0) if len(script) > 1 else script[0]

    async def connect(
        self, address: str, port: int, name: str | None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        self.connections.append((address, port, name))
        answer = self.answers.get(address, ConnectionRefusedError())
        if isinstance(answer, Exception):
            raise answer
        reader, writer = asyncio.StreamReader(), _Writer()
        self.requests.append(writer.written)
        if answer is not None:
            reader.feed_data(answer)
            reader.feed_eof()
        return reader, writer
