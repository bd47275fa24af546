"""Lays any of its candles."""

import random
from typing import Any


def get_move(state: Any) -> int:
    return random.choice(state.hand)
