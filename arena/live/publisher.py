"""Sending events to whoever watches a topic.

Invariant: publishing never fails its caller. What a dead broker missed is a gap in the numbers, which viewers
notice and mend with a snapshot; a ``Journal`` mends it itself.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any

from redis.exceptions import RedisError

from arena.live.store import MAX_EVENTS, Appended, Frame
from arena.live.stream import store

logger = logging.getLogger(__name__)


def publish(topic: str, seq: int, event: Mapping[str, Any], *, keep: int = MAX_EVENTS) -> None:
    """Send ``event`` under ``seq``, which must be above every number sent on this topic before.

    A number that is not is a stale writer's: it is logged and dropped. The topic keeps about ``keep`` events.
    """
    reply = _append(topic, _frame(seq, event), keep=keep)
    if reply is not None and not reply.done:
        logger.info("%s: event %s is stale, the newest is %s", topic, seq, reply.last)


class Journal:
    """The events of one writer on one topic, numbered from ``first`` without a gap.

    It keeps them, so that a broker that comes back without its memory, or was away for a while, gets all of them
    again with the next event: until the writer ends nothing is lost.
    """

    def __init__(self, topic: str, first: int) -> None:
        self._topic, self._first = topic, first
        self._frames: list[Frame] = []

    @property
    def next_seq(self) -> int:
        return self._first + len(self._frames)

    def publish(self, event: Mapping[str, Any]) -> None:
        """Send the next event, after those that the stream lacks."""
        self._frames.append(_frame(self.next_seq, event))
        frame = self._frames[-1]
        follows = frame.seq - 1 if len(self._frames) > 1 else None
        reply = _append(self._topic, frame, follows=follows)
        if reply is None or reply.done:
            return
        if reply.last >= frame.seq:
            logger.info("%s: event %s is stale, the newest is %s", self._topic, frame.seq, reply.last)
            return
        self._send_again(above=reply.last)

    def _send_again(self, above: int) -> None:
        missing = [frame for frame in self._frames if frame.seq > above]
        logger.warning("%s: sending %s events again", self._topic, len(missing))
        for frame in missing:
            reply = _append(self._topic, frame)
            # One that is there already was sent twice by a connection that broke after the first time.
            if reply is None or reply.last > missing[-1].seq:
                return


def _frame(seq: int, event: Mapping[str, Any]) -> Frame:
    body = {"seq": seq, **event}
    return Frame(seq, json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False))


def _append(topic: str, frame: Frame, *, follows: int | None = None, keep: int = MAX_EVENTS) -> Appended | None:
    target = store()
    if target is None:
        return None
    try:
        return target.append(topic, frame, follows=follows, keep=keep)
    except (RedisError, OSError) as error:
        logger.warning("%s: event %s was not sent: %s", topic, frame.seq, error)
        return None
