"""Limit how many password-hashing requests run simultaneously; the others wait without occupying a thread.

Without this limit, each request would hold a thread and a database connection, and all of them would run their views
before the first hash was finished. With the limit, a waiting request costs only a coroutine. If too many requests are
already waiting, the new one is marked, and ``refusals`` answers it immediately.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from django.urls import Resolver404, resolve

from arena.platform.asgi import App, Receive, Scope, Send

PASSWORD_VIEWS: Final = frozenset(
    {
        "login",
        "signup",
        "settings",
        "password_change",
        "password_reset_confirm",
        "admin:login",
        "admin:password_change",
        "admin:auth_user_password_change",
    }
)
BUSY: Final = "arena.passwords_busy"  # marks refused requests in the ASGI scope


class PasswordAdmission:
    """ASGI middleware that runs up to ``at_once`` requests concurrently and queues up to ``queue`` more."""

    def __init__(self, app: App, at_once: int, queue: int) -> None:
        self._app, self._most = app, at_once + queue
        self._permits, self._here = asyncio.Semaphore(at_once), 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or not _hashes_password(scope["path"]):
            await self._app(scope, receive, send)
        elif self._here >= self._most:
            await self._app({**scope, BUSY: True}, receive, send)
        else:
            self._here += 1
            try:
                async with self._permits:
                    await self._app(scope, receive, send)
            finally:
                self._here -= 1


def is_refused(request: Any) -> bool:
    """Return whether too many requests were waiting when this one arrived."""
    return bool(getattr(request, "scope", {}).get(BUSY))


def _hashes_password(path: str) -> bool:
    try:
        return resolve(path).view_name in PASSWORD_VIEWS
    except Resolver404:
        return False
