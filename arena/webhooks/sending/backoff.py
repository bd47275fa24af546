"""Schedule retries of failed deliveries: exponential backoff with jitter."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Final

FIRST: Final = timedelta(seconds=10)
FACTOR: Final = 4
LONGEST: Final = timedelta(hours=12)
MOST_ATTEMPTS: Final = 10  # over about a day and a half


def pause_after(attempts: int, rng: random.Random) -> timedelta | None:
    """Return a random delay after this many failed attempts, 50% to 100% of the full delay; None means give up.

    Jitter spreads deliveries that failed together.
    """
    if attempts >= MOST_ATTEMPTS:
        return None
    full = min(FIRST * int(FACTOR ** (attempts - 1)), LONGEST)
    return full * rng.uniform(0.5, 1.0)
