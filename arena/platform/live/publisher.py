"""Sending events to whoever watches a topic.

Invariant: publishing never fails its caller. What a dead broker missed is a gap in the numbers, which viewers
notice and mend with a snapshot; a ``Journal`` mends it itself.

A topic is numbered in one of two ways. Where the database counts its events, one by one, many may ``publish`` side by
side. Where a fence is part of the number, as in a match, one writer has a ``Journal`` and others ``supersede`` it: the
higher number silences whoever writes under a lower one.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any

from redis.exceptions import RedisError

from arena.platform.live.store import MAX_EVENTS, Appended, Frame
from arena.platform.live.stream import store

logger = logging.getLogger(__name__)


def publish(topic: str, seq: int, event: Mapping[str, Any], *, keep: int = MAX_EVENTS) -> None:
    """Send ``event`` under ``seq``, the number that the database gave it alone; the topic keeps ``keep`` events.

    One that was overtaken on its way is sent late; viewers get it in its place.
    """
    reply = _append(topic, _frame(seq, event), counted=True, keep=keep)
    if reply is not None and not reply.done:
        logger.info("%s: event %s was sent before, the newest is %s", topic, seq, reply.last)


def supersede(topic: str, seq: int, event: Mapping[str, Any]) -> None:
    """Send ``event`` under ``seq``, which must be above every number sent on this topic before.

    A number that is not is a stale writer's: it is logged and dropped.
    """
    reply = _append(topic, _frame(seq, event))
    if reply is not None and not reply.done:
        _log_stale(topic, seq, reply)


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
            _log_stale(self._topic, frame.seq, reply)
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


def _log_stale(topic: str, seq: int, reply: Appended) -> None:
    logger.info("%s: event %s is stale, the newest is %s", topic, seq, reply.last)


def _append(
    topic: str, frame: Frame, *, follows: int | None = None, counted: bool = False, keep: int = MAX_EVENTS
) -> Appended | None:
    target = store()
    if target is None:
        return None
    try:
        return target.append(topic, frame, follows=follows, counted=counted, keep=keep)
    except (RedisError, OSError) as error:
        logger.warning("%s: event %s was not sent: %s", topic, frame.seq, error)
        return None
