"""Post a message to an untrusted receiver without connecting to any address that the policy forbids.

The host name is resolved once; if any of its addresses is forbidden, nothing is sent. The connection is made to a
checked address, with the name in TLS and in the Host header, so changing the name's address in the meantime (DNS
rebinding) has no effect. Redirects are not followed, and response bodies are not read. One deadline covers everything.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from socket import SOCK_STREAM, gaierror
from typing import Final

import h11

from arena.webhooks.sending.addresses import AddressPolicy
from arena.webhooks.sending.targets import Target

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]
# Takes the address, the port and, with TLS, the name in the certificate.
Connector = Callable[[str, int, str | None], Awaitable[Connection]]

_MAX_ADDRESSES: Final = 4  # number of addresses tried, one after the other
_HEADER_BYTES: Final = 16 * 1024
_CHUNK: Final = 4096


class Failure(StrEnum):
    """The reason why a delivery was not accepted."""

    URL = "url"  # no longer permitted by the operator's rules
    NAME = "name"  # the host name cannot be resolved
    ADDRESS = "address"  # the host name resolves to a forbidden address
    CONNECTION = "connection"
    TLS = "tls"
    TIMEOUT = "timeout"
    RESPONSE = "response"  # the response is not HTTP
    REDIRECT = "redirect"
    STATUS = "status"  # the status is not 2xx


@dataclass(frozen=True, slots=True)
class DeliveryResponse:
    """The receiver's response; ``status``: the HTTP status, None if the receiver did not respond.

    ``failure``: the reason why the delivery was not accepted; None if it was accepted.
    """

    status: int | None
    failure: Failure | None
    milliseconds: int = 0


async def resolve_host(host: str, port: int) -> list[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


@cache
def _tls_context() -> ssl.SSLContext:
    return ssl.create_default_context()


async def open_connection(address: str, port: int, name: str | None) -> Connection:
    context = None if name is None else _tls_context()
    return await asyncio.open_connection(address, port, ssl=context, server_hostname=name, limit=_HEADER_BYTES)


@dataclass(frozen=True, slots=True)
class WebhookClient:
    """An HTTP client for one request.

    ``seconds``: the deadline for everything from name resolution to the status line.
    """

    policy: AddressPolicy
    seconds: float
    resolver: Resolver = resolve_host
    connector: Connector = open_connection
    clock: Callable[[], float] = time.monotonic

    async def post(self, target: Target, headers: Mapping[str, str], body: bytes) -> DeliveryResponse:
        began = self.clock()
        status: int | None = None
        failure: Failure | None
        try:
            async with asyncio.timeout(self.seconds):
                status = await self._exchange(target, headers, body)
                failure = _failure_of_status(status)
        except _DeliveryError as refused:
            failure = refused.failure
        except TimeoutError:
            failure = Failure.TIMEOUT
        return DeliveryResponse(status, failure, round((self.clock() - began) * 1000))

    async def _exchange(self, target: Target, headers: Mapping[str, str], body: bytes) -> int:
        addresses = await self._addresses(target)
        reader, writer = await self._open(target, addresses)
        try:
            return await _send_request(reader, writer, target, headers, body)
        except ssl.SSLError as error:
            raise _DeliveryError(Failure.TLS) from error
        except (OSError, EOFError) as error:
            raise _DeliveryError(Failure.CONNECTION) from error
        except h11.RemoteProtocolError as error:
            raise _DeliveryError(Failure.RESPONSE) from error
        finally:
            writer.transport.abort()  # nothing more is sent, and a clean shutdown could block

    async def _addresses(self, target: Target) -> list[str]:
        try:
            found = list(dict.fromkeys(await self.resolver(target.host, target.port)))
        except (gaierror, UnicodeError) as error:
            raise _DeliveryError(Failure.NAME) from error
        if not found:
            raise _DeliveryError(Failure.NAME)
        if not all(self.policy.permits(address) for address in found):
            raise _DeliveryError(Failure.ADDRESS)
        return found[:_MAX_ADDRESSES]

    async def _open(self, target: Target, addresses: Sequence[str]) -> Connection:
        name = target.host if target.scheme == "https" else None
        failure = Failure.CONNECTION
        for address in addresses:
            try:
                return await self.connector(address, target.port, name)
            except ssl.SSLError:
                failure = Failure.TLS
            except TimeoutError:
                raise
            except OSError:
                failure = Failure.CONNECTION
        raise _DeliveryError(failure)


class _DeliveryError(Exception):
    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.value)
        self.failure = failure


async def _send_request(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    target: Target,
    headers: Mapping[str, str],
    body: bytes,
) -> int:
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=_HEADER_BYTES)
    sent = {"Host": target.host_header, "Content-Length": str(len(body)), "Connection": "close", **headers}
    for event in (
        h11.Request(method="POST", target=target.path, headers=list(sent.items())),
        h11.Data(data=body),
        h11.EndOfMessage(),
    ):
        writer.write(connection.send(event) or b"")
    await writer.drain()
    while True:
        event_or_none = connection.next_event()
        if event_or_none is h11.NEED_DATA:
            connection.receive_data(await reader.read(_CHUNK))
        elif isinstance(event_or_none, h11.Response):
            return event_or_none.status_code
        elif not isinstance(event_or_none, h11.InformationalResponse):
            raise EOFError


def _failure_of_status(status: int) -> Failure | None:
    if 200 <= status < 300:
        return None
    return Failure.REDIRECT if 300 <= status < 400 else Failure.STATUS
