"""Run coroutines that usually do not block, without creating a task for each of them.

If a socket accepts a frame immediately, waking a task would cost as much as sending the frame.
"""

from __future__ import annotations

import types
from collections.abc import Awaitable, Coroutine, Generator
from typing import Any


def run_until_blocked(work: Coroutine[Any, Any, None]) -> Awaitable[None] | None:
    """Run ``work`` until it blocks; return None if it has finished, otherwise an awaitable for the rest.

    This never raises: awaiting the rest raises what ``work`` raised. ``work`` must not ask for the current task.
    """
    try:
        waits_for = work.send(None)
    except StopIteration:
        return None
    except Exception as error:  # noqa: BLE001 - re-raised to the caller that awaits the rest
        return _raise(error)
    return _finish(work, waits_for)


# Generators, not coroutines: Python would warn about a coroutine left unawaited when its viewer leaves.
@types.coroutine
def _finish(work: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, Any, None]:
    """Let the awaiting task await the future on which ``work`` is blocked, then resume ``work``."""
    try:
        yield waits_for
    except BaseException:  # cancelled
        work.close()
        raise
    yield from work


@types.coroutine
def _raise(error: Exception) -> Generator[Any, Any, None]:
    raise error
    yield  # makes it a generator
