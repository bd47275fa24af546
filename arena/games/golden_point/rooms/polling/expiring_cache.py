"""A bounded cache whose values expire after a given number of seconds."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from datetime import datetime
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class ExpiringCache(Generic[K, V]):
    """A cache of the newest ``capacity`` values, each kept for ``seconds``; all expire if the clock is set back."""

    def __init__(self, *, capacity: int, seconds: float) -> None:
        self._capacity, self._seconds = capacity, seconds
        self._kept: OrderedDict[K, tuple[datetime, V]] = OrderedDict()

    def get(self, key: K, now: datetime) -> V | None:
        at, value = self._kept.get(key, (None, None))
        return value if at is not None and 0 <= (now - at).total_seconds() < self._seconds else None

    def put(self, key: K, value: V, now: datetime) -> None:
        self._kept[key] = now, value
        self._kept.move_to_end(key)
        while len(self._kept) > self._capacity:
            self._kept.popitem(last=False)

    def drop(self, key: K) -> None:
        self._kept.pop(key, None)
