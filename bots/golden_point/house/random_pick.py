"""Picks numbers at random from 0 to 100. It keeps the golden number high for everybody else."""

import random
from typing import Any


def get_move(state: Any) -> list[float]:
    return [random.uniform(0.001, 99.999) for _ in range(state.numbers)]
