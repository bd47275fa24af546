"""A person's inbox on the worker: a thread that watches the row written by the site.

Invariants: the referee's thread never waits for the database; database failures are retried until the answer arrives or
is no longer needed. An answer is delivered only once, and only for the request to which it belongs. If the thread
fails, that is a failure of the arena and never costs a person time.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable

from django.db import InterfaceError, OperationalError, connections
from django.utils import timezone

from arena.core.referee.failure_messages import INBOX
from arena.core.referee.faults import RefereeFailure
from arena.core.referee.person import RESIGNED
from arena.core.referee.players import PlayerGone
from arena.games.base import Json
from arena.play import answer_store
from arena.play.answer_store import NOTHING, PersonInput
from arena.play.wake_channel import WakeChannel

logger = logging.getLogger(__name__)

# How often the row is polled while no wake-up arrives.
POLL_SECONDS = 1.0


class AnswerInbox:
    """An ``arena.core.referee.person.Inbox`` that reads the answers from the database.

    ``turn``: returns the number of the turn for which an answer is requested.
    """

    def __init__(
        self, match_id: int, turn: Callable[[], int], channel: WakeChannel, poll_seconds: float = POLL_SECONDS
    ) -> None:
        self._match_id, self._turn, self._channel, self._poll_seconds = match_id, turn, channel, poll_seconds
        self._ready = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._changed = threading.Condition()
        self._open: tuple[int, bool] | None = None  # the turn, and whether its first answer was rejected
        self._last = 0
        self._input = NOTHING
        self._closed = self._broken = False
        self._thread = threading.Thread(target=self._watch_requests, name=f"answers-{match_id}", daemon=True)

    def open_request(self) -> None:
        turn = self._turn()
        with self._changed:
            self._clear()  # under the lock: everything that the thread delivers from here on belongs to this request
            self._input, self._open = NOTHING, (turn, turn == self._last)
            self._last = turn
            self._changed.notify_all()
        if not self._thread.is_alive():
            self._thread.start()

    def take_answer(self) -> Json:
        with self._changed:
            if self._broken:
                raise RefereeFailure(INBOX())
            if self._input.resigned:
                raise PlayerGone(RESIGNED)
            return self._input.answer

    def fileno(self) -> int | None:
        return self._ready

    def close(self) -> None:
        with self._changed:
            if self._closed:
                return
            self._closed, self._open = True, None
            self._changed.notify_all()
            if self._broken or not self._thread.is_alive():
                os.close(self._ready)
                self._channel.close()

    def _clear(self) -> None:
        try:
            os.eventfd_read(self._ready)
        except BlockingIOError:
            return

    def _watch_requests(self) -> None:
        try:
            self._channel.wait(0)  # subscribes, so that no later wake-up is missed
            while (request := self._wait_for_request()) is not None:
                self._wait_for_input(request)
        finally:
            connections.close_all()
            self._channel.close()
            with self._changed:
                if self._closed:
                    os.close(self._ready)
                else:
                    self._broken = True
                    os.eventfd_write(self._ready, 1)

    def _wait_for_request(self) -> tuple[int, bool] | None:
        """Wait for an open request, and return it; return None if the match is over.

        A request consists of a turn's number, and whether the first answer in that turn was rejected.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._closed or (self._open is not None and self._input == NOTHING))
            return None if self._closed else self._open

    def _wait_for_input(self, request: tuple[int, bool]) -> None:
        turn, again = request
        requested = away = False
        while self._open == request:
            try:
                if not requested:
                    answer_store.open_request(self._match_id, turn, now=timezone.now(), again=again)
                    requested = True
                found = answer_store.person_input(self._match_id, turn)
            except (OperationalError, InterfaceError) as error:
                if not away:
                    logger.warning("duel %s: turn %s waits for the database: %s", self._match_id, turn, error)
                connections.close_all()  # a broken connection does not recover
                away, found = True, NOTHING
            else:
                if away:
                    logger.warning("duel %s: turn %s: the database is available again", self._match_id, turn)
                away = False
            if found != NOTHING:
                self._deliver_input(request, found)
                return
            self._channel.wait(self._poll_seconds)

    def _deliver_input(self, request: tuple[int, bool], found: PersonInput) -> None:
        with self._changed:
            if self._open == request and not self._closed:
                self._input = found
                os.eventfd_write(self._ready, 1)
