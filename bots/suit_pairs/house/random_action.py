"""Chooses any legal action.

Function cards included: it swaps and captures as it pairs, by chance.
"""

import random
from typing import Any


def get_move(state: Any) -> Any:
    return random.choice(state.legal)
