"""Hash passwords in a few threads, so that many simultaneous sign-ins do not slow down every page.

A hash deliberately takes a tenth of a second of CPU time and 100 MiB. Requests wait their turn: at most
``PASSWORD_HASHING_THREADS`` hashes use CPU time and memory at once, however many people sign in. If more than
``PASSWORD_HASHING_QUEUE`` requests are waiting, ``HashingBusy`` is raised and ``RefusalMiddleware`` returns 503.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Final, TypeVar

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher, PBKDF2PasswordHasher
from django.db import connections
from django.utils.translation import gettext as _

from arena.platform.refusal import Refused

T = TypeVar("T")

# Pages take precedence over hashing: this is added to the niceness of the process.
NICENESS: Final = 10

# How long a refused request should wait, in seconds.
BUSY_SECONDS: Final = 5


class HashingBusy(Refused):
    """Raised when too many hashes are pending."""

    def __init__(self) -> None:
        super().__init__(
            _("Many people are signing in right now. Try again in a few seconds."),
            code="busy",
            status=HTTPStatus.SERVICE_UNAVAILABLE,
            retry_after=BUSY_SECONDS,
        )


class HashingPool:
    """A pool that computes ``threads`` hashes at a time; at most ``queue`` more callers wait."""

    def __init__(self, threads: int, queue: int) -> None:
        self._threads, self._most = threads, threads + queue
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="passwords", initializer=_yield_to_pages)
        self._lock, self._inside = threading.Lock(), 0

    def run(self, work: Callable[[], T]) -> T:
        """Run ``work`` and return its result. Raises HashingBusy, or the exceptions of ``work``."""
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
    thread = threading.get_native_id()  # on Linux, a priority belongs to a thread, which inherits it
    niceness = os.getpriority(os.PRIO_PROCESS, thread) + NICENESS
    os.setpriority(os.PRIO_PROCESS, thread, min(niceness, 19))


def _release_connections() -> None:
    """Close this thread's database connections while it waits: they are scarce when a whole class signs in."""
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close()


_pools: dict[int, HashingPool] = {}
_making = threading.Lock()


def hashing_pool() -> HashingPool:
    """Return this process's pool; a forked process needs its own, because threads do not survive a fork."""
    with _making:
        if os.getpid() not in _pools:
            _pools.clear()
            _pools[os.getpid()] = HashingPool(settings.PASSWORD_HASHING_THREADS, settings.PASSWORD_HASHING_QUEUE)
        return _pools[os.getpid()]


class PooledArgon2Hasher(Argon2PasswordHasher):
    """Django's Argon2 hasher, run in the pool with a parallelism of 1, so that each hash uses a single core."""

    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        return hashing_pool().run(lambda: super(PooledArgon2Hasher, self).encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        return hashing_pool().run(lambda: super(PooledArgon2Hasher, self).verify(password, encoded))


class PooledPBKDF2Hasher(PBKDF2PasswordHasher):
    """Django's PBKDF2 hasher, run in the pool; verifies password hashes that come from other installations."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        return hashing_pool().run(lambda: super(PooledPBKDF2Hasher, self).encode(password, salt, iterations))

    def verify(self, password: str, encoded: str) -> bool:
        return super().verify(password, encoded)  # calls encode, which runs in the pool
