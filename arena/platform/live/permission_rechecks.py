"""Recheck the permissions of a hub's viewers: after a revocation, and all of them at intervals.

Invariants:

- After a revocation, the affected viewers get no events until their permission has been checked again; viewers without
  permission get nothing more. The affected viewers of one topic share a check.
- While the database is unavailable, checks after a revocation are retried; viewers whom no revocation affects keep
  their permission.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping

from django.db import DatabaseError

from arena.platform.live.permission import Check
from arena.platform.live.revocation import Revocation
from arena.platform.live.topics import Topic
from arena.platform.live.viewer import Viewer

logger = logging.getLogger(__name__)


class PermissionRechecks:
    """The permission checks of viewers who have joined. ``retry_seconds``: pause while the database is unavailable."""

    def __init__(self, check: Check, retry_seconds: float) -> None:
        self._check, self._retry_seconds = check, retry_seconds
        self._tasks: set[asyncio.Task[None]] = set()

    def apply_revocation(self, revocation: Revocation, topic: str, viewers: Iterable[Viewer]) -> None:
        """Recheck those viewers of the topic who are affected by the revocation."""
        affected = (
            viewer
            for viewer in viewers
            if viewer.reader is not None and (topic in revocation.topics or revocation.concerns(viewer.reader))
        )
        self.hold_until_checked(topic, affected)

    def hold_until_checked(self, topic: str, viewers: Iterable[Viewer]) -> None:
        """Hold back the events of these viewers until their permission has been checked."""
        sessions = _sessions(viewers)
        for viewer in sessions:
            viewer.hold_events()
        if sessions:
            task = asyncio.create_task(self._release_or_drop(topic, sessions))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def drop_refused_viewers(self, topic: str, viewers: Iterable[Viewer]) -> None:
        """Check these viewers, and disconnect those without permission; the others keep getting events meanwhile."""
        sessions = _sessions(viewers)
        try:
            granted = await self._find_permitted_sessions(topic, sessions.values()) if sessions else None
        except Exception:
            logger.exception("%s: permissions cannot be checked", topic)
            return
        for viewer, session in sessions.items():
            if granted is not None and session not in granted:
                viewer.drop_events()

    async def close(self) -> None:
        """Cancel the running checks."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _release_or_drop(self, topic: str, sessions: Mapping[Viewer, str | None]) -> None:
        """Release held events to permitted viewers, and disconnect the others; retry while the database is unavailable.

        If the check fails for another reason, the viewers must rejoin.
        """
        try:
            while (granted := await self._find_permitted_sessions(topic, sessions.values())) is None:
                await asyncio.sleep(self._retry_seconds)
        except Exception:
            logger.exception("%s: permissions cannot be checked", topic)
            for viewer in sessions:
                viewer.resync()
            return
        for viewer, session in sessions.items():
            if session in granted:
                viewer.release_events()
            else:
                viewer.drop_events()

    async def _find_permitted_sessions(
        self, topic: str, sessions: Iterable[str | None]
    ) -> frozenset[str | None] | None:
        """Return which of these sessions may still watch; None if the database does not respond."""
        try:
            return await self._check(Topic.parse(topic), set(sessions))
        except DatabaseError as error:
            logger.warning("%s: permissions cannot be checked: %s", topic, error)
            return None


def _sessions(viewers: Iterable[Viewer]) -> dict[Viewer, str | None]:
    """Return the session of each viewer, except those whose topic is public."""
    return {viewer: viewer.reader.session for viewer in viewers if viewer.reader is not None}
