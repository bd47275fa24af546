"""Fuzzing budgets: the number of examples, and the time limit for one example.

In CI, the number is fixed and the examples are the same each time. To search longer:

    FUZZ=1000 .venv/bin/python -m pytest tests/core -k fuzz

tries a thousand times as many random examples, and prints how to reproduce each failure.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import HealthCheck, settings

FACTOR = int(os.environ.get("FUZZ", "1"))
# CPU seconds for one example, far more than the longest permitted input needs on a slow machine.
MAX_SECONDS = 2.0


def budget(examples: int) -> settings:
    return settings(
        max_examples=examples * FACTOR,
        derandomize=FACTOR == 1,
        database=None,
        deadline=None,  # wall-clock deadlines are unreliable on a busy machine
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


@contextmanager
def within_time_limit() -> Iterator[None]:
    """Fail if the block takes more than ``MAX_SECONDS`` of CPU time."""
    start = time.process_time()
    yield
    assert time.process_time() - start < MAX_SECONDS


def is_clean(text: str) -> bool:
    """Return whether databases and pages accept the text: it contains neither NUL nor an unpaired surrogate."""
    return "\0" not in text and text.encode("utf-8", "replace").decode() == text
