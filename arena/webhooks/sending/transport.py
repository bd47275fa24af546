"""Send a batch of messages concurrently."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from arena.webhooks.sending.client import Answer, Client, Failure
from arena.webhooks.sending.targets import TargetRules, UrlRefused, target_of


@dataclass(frozen=True, slots=True)
class Message:
    """A signed request; only its timestamp and signature differ between attempts."""

    url: str
    headers: Mapping[str, str]
    body: bytes


class Transport(Protocol):
    """Sends messages; never raises because of a receiver."""

    def __call__(self, messages: Sequence[Message]) -> list[Answer]:
        """Return one answer per message, in the same order."""


@dataclass(frozen=True, slots=True)
class HttpTransport:
    """The transport over the real network.

    The URL is checked again each time, because the rules may have changed.
    """

    rules: TargetRules
    client: Client

    def __call__(self, messages: Sequence[Message]) -> list[Answer]:
        return asyncio.run(self._send(messages))

    async def _send(self, messages: Sequence[Message]) -> list[Answer]:
        return list(await asyncio.gather(*(self._post(message) for message in messages)))

    async def _post(self, message: Message) -> Answer:
        try:
            target = target_of(message.url, self.rules)
        except UrlRefused:
            return Answer(None, Failure.URL)
        return await self.client.post(target, message.headers, message.body)
