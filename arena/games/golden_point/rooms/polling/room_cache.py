"""Cache rooms in a web process: answer polling requests from memory, batch picks, and close rounds on time.

Invariants:

- The database is authoritative. A cached room lags behind the database by at most the refresh interval, and not at all
  after changes by this process.
- A single thread accesses a room's state, one operation at a time: a refresh that began before a pick never
  overwrites it.
- Every process tracks the deadlines of all rooms; the first to reach a deadline closes the round. A process that dies,
  or an outage of the whole site, has no lasting effect: the first refresh closes the rounds that are due.
- Polling does not query the database, except for the first request for a room; all ids that were used for polling are
  stored together, once a minute.
- Before this process closes a round, it waits up to SUBMIT_WAIT_SECONDS so that picks that arrived before the deadline
  can be submitted.
- A room that cannot be closed, read or published does not delay other rooms. It is retried after a minute.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Protocol, TypeVar
from uuid import UUID

from arena.games.golden_point.rooms import services
from arena.games.golden_point.rooms.identity import read_guid
from arena.games.golden_point.rooms.live import broadcast
from arena.games.golden_point.rooms.polling import snapshots
from arena.games.golden_point.rooms.polling.snapshots import RoomSnapshot
from arena.games.golden_point.rooms.queries import rooms
from arena.games.golden_point.rooms.rounds import binding
from arena.games.golden_point.rooms.rounds.backoff import FailureBackoff
from arena.games.golden_point.rooms.rounds.picks import Receipt, SentPick, submit_all

logger = logging.getLogger(__name__)

REFRESH_SECONDS = 0.1  # between two refreshes of polled rooms
IDLE_SECONDS = 0.5  # while no rooms are polled; shorter than any round, so that no deadline is noticed late
POLLED_SECONDS = 30.0  # a room is dropped after this time without polling
MAX_BATCH = 200  # picks per transaction
SUBMIT_WAIT_SECONDS = 0.05  # a refresh waits this long for picks; rounds close within a tenth of a second
PUBLISH_SECONDS = 0.25  # between two events that contain the number of picks
POLL_STORE_SECONDS = 60.0  # between two writes of the ids that were used for polling
MAX_STORED_POLLS = 10_000  # ids per write
MAX_PUBLISHED = 20  # rooms at a time; closed rounds are published in any case

T = TypeVar("T")


class JobRunner(Protocol):
    """A runner of database jobs in a thread; each runner runs its jobs one after another."""

    def __call__(self, job: Callable[[], T], /) -> Awaitable[T]: ...


@dataclass(slots=True)
class _CachedRoom:
    snapshot: RoomSnapshot
    polled_at: datetime


@dataclass(frozen=True, slots=True)
class _WaitingPick:
    sent: SentPick
    answer: asyncio.Future[Receipt]


class RoomCache:
    """The cached rooms of one event loop. ``clock``: returns the time of day, which determines when rounds end."""

    def __init__(
        self, run: JobRunner, clock: Callable[[], datetime], *, submit_wait_seconds: float = SUBMIT_WAIT_SECONDS
    ) -> None:
        self._run, self._clock, self._submit_wait_seconds = run, clock, submit_wait_seconds
        self._rooms: dict[int, _CachedRoom] = {}
        self._loading: dict[int, asyncio.Future[RoomSnapshot | None]] = {}
        self._waiting: dict[UUID | None, list[_WaitingPick]] = {}  # by round
        self._submitting: asyncio.Task[None] | None = None
        self._published_at, self._last_published = clock(), -1
        self._polled: dict[tuple[UUID, str], datetime] = {}
        self._polls_stored_at = clock()
        self._closing = FailureBackoff[UUID]()
        self._reading, self._publishing = FailureBackoff[int](), FailureBackoff[int]()

    async def room(self, number: int) -> RoomSnapshot | None:
        """Return the room with this number; None if there is no such room."""
        kept = self._rooms.get(number)
        if kept is not None:
            kept.polled_at = self._clock()
            return kept.snapshot
        loading = self._loading.get(number)
        if loading is None:
            loading = self._loading[number] = asyncio.ensure_future(self.reload(number))
            loading.add_done_callback(lambda _: self._loading.pop(number, None))
        return await asyncio.shield(loading)

    async def reload(self, number: int) -> RoomSnapshot | None:
        """Read the room from the database into the cache; return it, or None if there is no such room."""
        snapshot = await self._run(partial(snapshots.load, number))
        if snapshot is None:
            self._rooms.pop(number, None)
        elif number in self._rooms:
            self._rooms[number].snapshot = snapshot
        else:
            self._rooms[number] = _CachedRoom(snapshot, self._clock())
        return snapshot

    def record_poll(self, uid: UUID, origin: str) -> None:
        """Record that ``uid`` polled from the network ``origin``; this counts as a use of the id."""
        if len(self._polled) < MAX_STORED_POLLS:
            self._polled[uid, origin] = self._clock()

    async def submit(self, sent: SentPick) -> Receipt:
        """Submit numbers; picks for one round that arrive while the database is busy share a transaction."""
        answer: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(read_guid(sent.rid), []).append(_WaitingPick(sent, answer))
        if self._submitting is None or self._submitting.done():
            self._submitting = asyncio.create_task(self._submit_waiting_picks())
        return await answer

    async def refresh(self) -> float:
        """Close due rounds and reload changed rooms; return the seconds until the next refresh."""
        if self._submitting is not None and not self._submitting.done():
            await asyncio.wait({self._submitting}, timeout=self._submit_wait_seconds)
        now = self._clock()
        found = await self._run(partial(_refresh, now, tuple(self._rooms), self._closing))
        versions = {deadline.number: deadline.version for deadline in found}
        for number, kept in list(self._rooms.items()):
            if (now - kept.polled_at).total_seconds() > POLLED_SECONDS:
                del self._rooms[number]
            elif versions.get(number) != kept.snapshot.version and not self._reading.is_delayed(number, now):
                with self._reading.contain_failure(number, now, "room %s could not be read"):
                    await self.reload(number)
        await self._publish_changes(found, now)
        await self._store_polls(now)
        # A round that is still open although it was due could not be closed: trying again immediately would not help.
        ends = [deadline.ends_at for deadline in found if deadline.ends_at is not None and deadline.ends_at > now]
        pause = REFRESH_SECONDS if self._rooms else IDLE_SECONDS
        until = (min(ends) - self._clock()).total_seconds() if ends else pause
        return max(0.0, min(pause, until))

    async def run_forever(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Refresh the cached rooms in an endless loop, which continues after a failed refresh."""
        while True:
            try:
                pause = await self.refresh()
            except Exception:
                logger.exception("refreshing the rooms failed")
                pause = IDLE_SECONDS
            await sleep(pause)

    async def _publish_changes(self, found: list[rooms.RoomDeadline], now: datetime) -> None:
        """Publish the changes for which no event was sent, a few rooms at a time, in rotation."""
        unpublished = sorted(
            deadline.number
            for deadline in found
            if deadline.version > deadline.event_version and not self._publishing.is_delayed(deadline.number, now)
        )
        if not unpublished or 0 <= (now - self._published_at).total_seconds() < PUBLISH_SECONDS:
            return
        due = ([number for number in unpublished if number > self._last_published] or unpublished)[:MAX_PUBLISHED]
        self._published_at, self._last_published = now, due[-1]
        for number in due:
            with self._publishing.contain_failure(number, now, "changes in room %s could not be published"):
                await self._run(partial(broadcast.publish_changes, number, now))

    async def _store_polls(self, now: datetime) -> None:
        if self._polled and not 0 <= (now - self._polls_stored_at).total_seconds() < POLL_STORE_SECONDS:
            self._polls_stored_at, polled, self._polled = now, self._polled, {}
            await self._run(partial(binding.record_polls, polled))

    async def _submit_waiting_picks(self) -> None:
        """Submit the waiting picks, one round at a time, so that a failure affects only the picks for one round."""
        while self._waiting:
            batch = self._take_batch()
            try:
                receipts = await self._submit_batch([waiting.sent for waiting in batch])
            except Exception as error:  # noqa: BLE001 - handed to those who wait for it
                for waiting in batch:
                    if not waiting.answer.done():
                        waiting.answer.set_exception(error)
                continue
            for waiting, receipt in zip(batch, receipts, strict=True):
                if not waiting.answer.done():
                    waiting.answer.set_result(receipt)

    def _take_batch(self) -> list[_WaitingPick]:
        """Remove and return the oldest waiting picks for one round; the rounds take turns."""
        rid = next(iter(self._waiting))
        picks = self._waiting.pop(rid)
        if len(picks) > MAX_BATCH:
            self._waiting[rid] = picks[MAX_BATCH:]
        return picks[:MAX_BATCH]

    async def _submit_batch(self, sent_picks: list[SentPick]) -> list[Receipt]:
        receipts = await self._run(partial(submit_all, sent_picks, self._clock))
        try:
            await self._apply_receipts(sent_picks, receipts)
        except Exception:  # the picks are stored, so their senders must not get an error
            logger.exception("accepted picks are missing from the cache until the next refresh")
        return receipts

    async def _apply_receipts(self, sent_picks: list[SentPick], receipts: list[Receipt]) -> None:
        """Apply accepted picks to the cache, so that the next response shows them."""
        for number in {receipt.room for receipt in receipts if receipt.closed and receipt.room is not None}:
            await self.reload(number)
        taken: dict[int, set[UUID]] = defaultdict(set)
        for sent, receipt in zip(sent_picks, receipts, strict=True):
            kept = self._rooms.get(receipt.room) if receipt.room is not None and receipt.refusal is None else None
            uid = read_guid(sent.uid)
            if kept is not None and uid is not None and kept.snapshot.guid == read_guid(sent.rid):
                taken[kept.snapshot.number].add(uid)
        for number, uids in taken.items():
            self._rooms[number].snapshot = self._rooms[number].snapshot.with_picks(uids)


def _refresh(now: datetime, numbers: tuple[int, ...], closing: FailureBackoff[UUID]) -> list[rooms.RoomDeadline]:
    services.close_due_rounds(now, closing)
    return rooms.deadlines(numbers)
