"""What many viewers ask for at the same moment, made once a process."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Final, TypeVar

from django.core.cache import cache

T = TypeVar("T")

_LOCKS: Final = tuple(RLock() for _ in range(64))  # reentrant: two keys may have the same one


def shared(key: str, make: Callable[[], T], seconds: float) -> T:
    """What ``make`` returned for this key within the last ``seconds``; whoever comes while it is made waits for it."""
    kept: T | None = cache.get(key)
    if kept is None:
        with _LOCKS[hash(key) % len(_LOCKS)]:
            kept = cache.get(key)
            if kept is None:
                kept = make()
                cache.set(key, kept, seconds)
    return kept
