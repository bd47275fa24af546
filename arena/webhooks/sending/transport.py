"""Send a batch of messages concurrently, and schedule retries of failed ones."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Protocol

from arena.webhooks.sending.client import DeliveryResponse, Failure, WebhookClient
from arena.webhooks.sending.targets import TargetRules, UrlRefused, target_of

FIRST_PAUSE: Final = timedelta(seconds=10)
BACKOFF: Final = 4  # factor by which each pause is longer than the one before
MAX_PAUSE: Final = timedelta(hours=12)
MAX_REQUESTS: Final = 10  # over about a day and a half


@dataclass(frozen=True, slots=True)
class SignedRequest:
    """A signed request; only its timestamp and signature differ between the requests of a delivery."""

    url: str
    headers: Mapping[str, str]
    body: bytes


class WebhookTransport(Protocol):
    """A message transport that never raises because of a receiver."""

    def __call__(self, messages: Sequence[SignedRequest]) -> list[DeliveryResponse]:
        """Return one response per message, in the same order."""


@dataclass(frozen=True, slots=True)
class HttpTransport:
    """The transport over the real network.

    The URL is checked again before each request, because the rules may have changed.
    """

    rules: TargetRules
    client: WebhookClient

    def __call__(self, messages: Sequence[SignedRequest]) -> list[DeliveryResponse]:
        return asyncio.run(self._send(messages))

    async def _send(self, messages: Sequence[SignedRequest]) -> list[DeliveryResponse]:
        return list(await asyncio.gather(*(self._post(message) for message in messages)))

    async def _post(self, message: SignedRequest) -> DeliveryResponse:
        try:
            target = target_of(message.url, self.rules)
        except UrlRefused:
            return DeliveryResponse(None, Failure.URL)
        return await self.client.post(target, message.headers, message.body)


def retry_delay(requests: int, rng: random.Random) -> timedelta | None:
    """Return the delay before a retry (exponential backoff with jitter); None to give up after this many requests.

    The delay is drawn at random between 50 % and 100 % of the full delay, to spread deliveries that failed together.
    """
    if requests >= MAX_REQUESTS:
        return None
    full = min(FIRST_PAUSE * int(BACKOFF ** (requests - 1)), MAX_PAUSE)
    return full * rng.uniform(0.5, 1.0)
