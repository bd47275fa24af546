"""Hash passwords in a few threads of their own, so that many logins at once do not take the machine from every page.

A hash takes a tenth of a second of a core and 100 MiB, on purpose. The request that needs one waits for its turn;
threads and memory stay within ``PASSWORD_HASHING_THREADS`` times that, however many people sign in. Where more wait
than ``PASSWORD_HASHING_QUEUE``, ``HashingBusy`` refuses the request: ``BusyMiddleware`` answers 503.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher, PBKDF2PasswordHasher
from django.db import connections

T = TypeVar("T")

# Pages come first where both want a core.
NICENESS: Final = 10


class HashingBusy(Exception):  # noqa: N818 - the request is refused, nothing is broken
    """Too many hashes are waited for."""


class HashingPool:
    """``threads`` hashes at a time; further callers wait, at most ``queue`` of them."""

    def __init__(self, threads: int, queue: int) -> None:
        self._threads, self._most = threads, threads + queue
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="passwords", initializer=_yield_to_pages)
        self._lock, self._inside = threading.Lock(), 0

    def run(self, work: Callable[[], T]) -> T:
        """What ``work`` returns; raises HashingBusy, or what ``work`` raises."""
        with self._lock:
            if self._inside >= self._most:
                raise HashingBusy
            self._inside += 1
            waits = self._inside > self._threads
        try:
            if waits:
                _release_connections()
            return self._pool.submit(work).result()
        finally:
            with self._lock:
                self._inside -= 1

    def stop(self) -> None:
        self._pool.shutdown()


def _yield_to_pages() -> None:
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)  # on Linux, of this thread alone


def _release_connections() -> None:
    """Whoever waits holds no connection: a database has fewer of them than a class has people."""
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close()


_pools: dict[int, HashingPool] = {}
_making = threading.Lock()


def pool() -> HashingPool:
    """This process's own; threads do not survive a fork."""
    with _making:
        if os.getpid() not in _pools:
            _pools.clear()
            _pools[os.getpid()] = HashingPool(settings.PASSWORD_HASHING_THREADS, settings.PASSWORD_HASHING_QUEUE)
        return _pools[os.getpid()]


class PooledArgon2Hasher(Argon2PasswordHasher):
    """Django's, in the pool; one lane, so that a hash takes one core: the work is the same."""

    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        return pool().run(lambda: super(PooledArgon2Hasher, self).encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        return pool().run(lambda: super(PooledArgon2Hasher, self).verify(password, encoded))


class PooledPBKDF2Hasher(PBKDF2PasswordHasher):
    """Reads what other installations hashed."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        return pool().run(lambda: super(PooledPBKDF2Hasher, self).encode(password, salt, iterations))

    def verify(self, password: str, encoded: str) -> bool:
        return super().verify(password, encoded)  # encodes
