"""Publish events to the viewers of a topic.

Invariant: publishing never raises an exception. Events that do not reach the broker leave a gap in the numbers, which
viewers repair with a snapshot; a ``Journal`` repairs the gap itself.

A topic is numbered in one of two ways. If the database numbers its events one by one, many processes may ``publish``
concurrently. If the number contains a fencing token, as in a match, one writer has a ``Journal``, and others can
``supersede`` it: events with lower numbers are then dropped.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Final

from redis.exceptions import RedisError

from arena.platform.live.store import MAX_EVENTS, AppendResult, EventFrame
from arena.platform.live.stream import current_store

logger = logging.getLogger(__name__)

# Events on one topic that follow one another within this time are sent together; spectators do not notice the delay.
PAUSE_SECONDS: Final = 0.02
_MAX_EVENTS_PER_STEP: Final = 200  # events in one step
_JSON: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def publish(topic: str, seq: int, event: Mapping[str, Any], *, keep: int = MAX_EVENTS) -> None:
    """Send ``event`` under the unique number ``seq`` from the database; the topic keeps ``keep`` events.

    An event that a later one has overtaken is still sent; viewers receive all events in the right order.
    """
    reply = _append_events(topic, _frame(seq, event), counted=True, keep=keep)
    if reply is not None and not reply.done:
        logger.info("%s: event %s was already sent; the newest is %s", topic, seq, reply.last)


def supersede(topic: str, seq: int, event: Mapping[str, Any]) -> None:
    """Send ``event`` under ``seq``, which must be above every number sent on this topic before.

    A lower number comes from a stale writer: it is logged and dropped.
    """
    reply = _append_events(topic, _frame(seq, event))
    if reply is not None and not reply.done:
        _log_stale(topic, seq, reply)


class Journal:
    """The events of one writer on one topic, numbered from ``first`` without a gap.

    The journal keeps its events. If the broker was unavailable or lost its data, the next event resends all of them, so
    nothing is lost while the writer is running. ``keep``: how many events the topic keeps.
    """

    def __init__(self, topic: str, first: int, *, keep: int = MAX_EVENTS) -> None:
        self._topic, self._first, self._keep = topic, first, keep
        self._frames: list[EventFrame] = []

    @property
    def next_seq(self) -> int:
        return self._first + len(self._frames)

    def publish(self, *events: Mapping[str, Any]) -> None:
        """Send the next events in one step, after resending any earlier events that the stream lacks."""
        first = self.next_seq
        frames = [_frame(first + index, event) for index, event in enumerate(events)]
        self._frames += frames
        reply = _append_events(
            self._topic, *frames, follows=first - 1 if first > self._first else None, keep=self._keep
        )
        if reply is None or reply.done:
            return
        if reply.last >= frames[-1].seq:
            _log_stale(self._topic, frames[-1].seq, reply)
            return
        self._resend_events(above=reply.last)

    def _resend_events(self, above: int) -> None:
        missing = self._frames[max(0, above + 1 - self._first) :]
        logger.warning("%s: sending %s events again", self._topic, len(missing))
        for at in range(0, len(missing), _MAX_EVENTS_PER_STEP):
            reply = _append_events(self._topic, *missing[at : at + _MAX_EVENTS_PER_STEP], keep=self._keep)
            # An event that is already in the stream was sent before the connection broke and is being resent.
            if reply is None or reply.last > missing[-1].seq:
                return


class EventSender:
    """A sender of a journal's events in its own thread, so that the match does not wait for the broker.

    An event is sent immediately, unless others were sent within the last ``pause`` seconds; in that case, all events
    that arrive before the pause ends are sent together, in one step. At the end of the ``with`` block, an attempt has
    been made to send every event, and errors in serializing an event are raised. Call ``publish`` from one thread only.
    """

    def __init__(self, journal: Journal, pause: float = PAUSE_SECONDS) -> None:
        self._journal, self._pause = journal, pause
        self._next_seq = journal.next_seq
        self._waiting: list[Callable[[], Mapping[str, Any]]] = []
        self._failure: Exception | None = None
        self._changed = threading.Condition()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="events", daemon=True)

    def __enter__(self) -> EventSender:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        with self._changed:
            self._closed.set()
            self._changed.notify()
        self._thread.join()
        if self._failure is not None and error is None:
            raise self._failure

    @property
    def next_seq(self) -> int:
        """Return the number that the next queued event will get; call it from the thread that publishes."""
        return self._next_seq

    def publish(self, write: Callable[[], Mapping[str, Any]]) -> None:
        """Queue the event that ``write`` returns.

        The sender's thread calls ``write`` while the caller waits for a bot.
        """
        with self._changed:
            self._waiting.append(write)
            self._next_seq += 1
            self._changed.notify()

    def _run(self) -> None:
        try:
            while waiting := self._wait_for_events():
                self._journal.publish(*[write() for write in waiting])
                self._closed.wait(self._pause)
        except Exception as error:  # noqa: BLE001 - raised again by the thread that asked for it
            self._failure = error

    def _wait_for_events(self) -> list[Callable[[], Mapping[str, Any]]]:
        """Return the waiting events as soon as there are any; empty if the sender is closing and none are waiting."""
        with self._changed:
            while not self._waiting and not self._closed.is_set():
                self._changed.wait()
            waiting, self._waiting = self._waiting, []
        return waiting


def _frame(seq: int, event: Mapping[str, Any]) -> EventFrame:
    body = {"seq": seq, **event}
    return EventFrame(seq, _JSON.encode(body))


def _log_stale(topic: str, seq: int, reply: AppendResult) -> None:
    logger.info("%s: event %s is stale; the newest is %s", topic, seq, reply.last)


def _append_events(
    topic: str, *frames: EventFrame, follows: int | None = None, counted: bool = False, keep: int = MAX_EVENTS
) -> AppendResult | None:
    target = current_store()
    if target is None:
        return None
    try:
        return target.append(topic, *frames, follows=follows, counted=counted, keep=keep)
    except (RedisError, OSError) as error:
        logger.warning("%s: event %s was not sent: %s", topic, frames[-1].seq, error)
        return None
