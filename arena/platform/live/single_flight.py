"""Compute a value once per process for many simultaneous viewers, and cache it briefly."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Final, TypeVar

from django.core.cache import cache

T = TypeVar("T")

_LOCKS: Final = tuple(RLock() for _ in range(64))  # reentrant: two keys may share a lock


def single_flight(key: str, make: Callable[[], T], seconds: float) -> T:
    """Return the result of ``make`` for this key, at most ``seconds`` old.

    Concurrent callers wait for the first one.
    """
    kept: T | None = cache.get(key)
    if kept is None:
        with _LOCKS[hash(key) % len(_LOCKS)]:
            kept = cache.get(key)
            if kept is None:
                kept = make()
                cache.set(key, kept, seconds)
    return kept
