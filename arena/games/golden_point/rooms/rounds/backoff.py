"""Contain failures of single rooms: log them, and retry after a delay so that a defect does not fill the log."""

from __future__ import annotations

import logging
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final, Generic, TypeVar

from django.db import InterfaceError, OperationalError

logger = logging.getLogger(__name__)

RETRY_SECONDS: Final = 60.0

K = TypeVar("K", bound=Hashable)


class FailureBackoff(Generic[K]):
    """The rooms or rounds for which one operation failed less than RETRY_SECONDS ago in this process."""

    def __init__(self) -> None:
        self._failed_at: dict[K, datetime] = {}

    def is_delayed(self, key: K, now: datetime) -> bool:
        """Return whether the next attempt must still wait; no attempt waits if the clock is set back."""
        failed_at = self._failed_at.get(key)
        return failed_at is not None and 0 <= (now - failed_at).total_seconds() < RETRY_SECONDS

    @contextmanager
    def contain_failure(self, key: K, now: datetime, message: str) -> Iterator[None]:
        """Log a failure of the block, and delay the next attempt. Database outages are raised: they affect all rooms.

        ``message``: the log message, in which ``%s`` is the key.
        """
        try:
            yield
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            logger.exception(message, key)
            self._failed_at = {kept: at for kept, at in self._failed_at.items() if self.is_delayed(kept, now)}
            self._failed_at[key] = now
