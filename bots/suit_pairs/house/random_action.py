"""Chooses a random legal action, including function cards."""

import random
from typing import Any


def get_move(state: Any) -> Any:
    return random.choice(state.legal)
