"""The weights of the five levels in half precision.

``bots.suit_pairs.training.export`` writes them to ``weights.npz``.
"""

from pathlib import Path
from typing import Any, Final

import numpy as np

FILE: Final = Path(__file__).with_suffix(".npz")
NAMES: Final = ("w0", "b0", "w1", "b1", "policy_w", "policy_b", "value_w", "value_b")


def weights_of(level: int) -> dict[str, Any]:
    """Return the arrays of a level (1 to 5), keyed by name, in single precision."""
    with np.load(FILE, allow_pickle=False) as file:
        return {name: file[f"level{level}/{name}"].astype(np.float32) for name in NAMES}
