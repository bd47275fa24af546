"""Lays one of its candles at random."""

import random
from typing import Any


def get_move(state: Any) -> Any:
    return random.choice(state.hand)
