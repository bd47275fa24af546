"""Chooses a random legal action.

That includes function cards: it swaps and captures at random too.
"""

import random
from typing import Any


def get_move(state: Any) -> Any:
    return random.choice(state.legal)
