"""Throttle requests that store no row, with an in-memory leaky bucket per network in each web process."""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime, timedelta
from math import ceil
from typing import Final

from arena.platform.quota import LeakyBucket

MINUTE: Final = timedelta(minutes=1)
_MAX_KEYS: Final = 10_000


class MemoryThrottle:
    """A throttle that allows ``a_minute`` uses of a key at once, and then ``a_minute`` per minute; 0 for no limit."""

    def __init__(self, a_minute: int) -> None:
        self._bucket = LeakyBucket(a_minute, MINUTE) if a_minute else None
        self._empty_at: OrderedDict[str, datetime] = OrderedDict()

    def count_use(self, key: str, now: datetime) -> int:
        """Count one use of ``key``; return 0, or the seconds to wait if the use was refused."""
        if not self._bucket:
            return 0
        empty_at = self._empty_at.get(key, now)
        if not now < empty_at <= now + MINUTE:  # empty, or the clock was set back
            empty_at = now
        if (free_at := self._bucket.free_at(empty_at)) > now:
            return max(1, ceil((free_at - now).total_seconds()))
        self._empty_at[key] = empty_at + self._bucket.interval
        self._empty_at.move_to_end(key)
        while len(self._empty_at) > _MAX_KEYS:
            self._empty_at.popitem(last=False)
        return 0
