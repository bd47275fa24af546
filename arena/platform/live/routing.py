"""The addresses of the sockets: /ws/PREFIX/ID?after=N, and /ws/PREFIX for a topic without an id."""

from __future__ import annotations

from typing import Any

from django.urls import path, re_path

from arena.platform.live.consumers import LiveConsumer
from arena.platform.live.hub import Hub


def socket_urls(hub: Hub) -> list[Any]:
    """Routes whose sockets are served by ``hub``."""
    consumer: Any = LiveConsumer.as_asgi(hub=hub)
    return [
        path("ws/<slug:prefix>/<int:id>", consumer),
        path("ws/<slug:prefix>", consumer),
        re_path("", consumer, {"prefix": ""}),  # an unknown topic: without a route it would be a failure of ours
    ]
