"""How long the fuzzers search, and what one example may cost.

In CI the budget is fixed and the examples are the same each time. To search on, for a night if you like:

    FUZZ=1000 .venv/bin/python -m pytest tests/core -k fuzz

tries a thousand times as many, other ones each time; what it finds is printed as a call that repeats it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import HealthCheck, settings

FACTOR = int(os.environ.get("FUZZ", "1"))
# CPU seconds of one example: far above what the longest permitted input takes on a slow machine.
MOST_SECONDS = 2.0


def budget(examples: int) -> settings:
    return settings(
        max_examples=examples * FACTOR,
        derandomize=FACTOR == 1,
        database=None,
        deadline=None,  # of the wall's clock, which a busy machine may not be judged by
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


@contextmanager
def quickly() -> Iterator[None]:
    start = time.process_time()
    yield
    assert time.process_time() - start < MOST_SECONDS


def is_clean(text: str) -> bool:
    """Whether a database and a page take it: no NUL, no half of a character."""
    return "\0" not in text and text.encode("utf-8", "replace").decode() == text
