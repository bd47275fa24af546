"""The client side of a WebSocket, without a browser."""

from __future__ import annotations

import json
from typing import Any

from asgiref.testing import ApplicationCommunicator


class Socket:
    """The client side of a WebSocket."""

    def __init__(self, application: Any, path: str, **headers: str) -> None:
        address, _, query = path.partition("?")
        scope = {
            "type": "websocket",
            "path": address,
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        self._communicator = ApplicationCommunicator(application, scope)

    async def connect(self) -> None:
        await self._communicator.send_input({"type": "websocket.connect"})
        assert (await self._communicator.receive_output())["type"] == "websocket.accept"

    async def watch(self) -> None:
        """Connect and check that the server accepts the connection."""
        await self.connect()
        assert await self.receive() == {"type": "ping"}

    async def receive(self) -> dict[str, Any]:
        message = await self._communicator.receive_output()
        assert message["type"] == "websocket.send", message
        return dict(json.loads(message["text"]))

    async def closing_code(self) -> int:
        message = await self._communicator.receive_output()
        assert message["type"] == "websocket.close", message
        return int(message["code"])

    async def disconnect(self) -> None:
        await self._communicator.send_input({"type": "websocket.disconnect", "code": 1001})
        await self._communicator.wait()
