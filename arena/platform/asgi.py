"""ASGI types, and the services that a web process runs from startup to shutdown (lifespan)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Service(Protocol):
    """A part of a web process that runs independently of requests."""

    def http(self, site: App) -> App:
        """Return an app that answers this service's own requests and passes all others to ``site``.

        Return ``site`` itself if the service answers no requests.
        """
        ...

    async def start(self) -> None: ...
    async def stop(self) -> None: ...


class Lifespan:
    """The ASGI app for the server's lifespan events: starts the services in order and stops them in reverse."""

    def __init__(self, services: Sequence[Service]) -> None:
        self._services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                for service in self._services:
                    await service.start()
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                for service in reversed(self._services):
                    await service.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return
