"""Lays any of its candles."""

import random
from typing import Any


def get_move(state: Any) -> Any:
    return random.choice(state.hand)
