"""A policy-value network, trained by self-play, that predicts which moves are good and who will win.

The network has three layers of 512 units (ReLU) with a policy head and a value head; numpy multiplies its matrices. Its
input is the discs and the legal moves of both sides. The weights are stored in half precision by
``bots.reversi.training.network``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

_WEIGHTS: Final = Path(__file__).with_suffix(".npz")

Weights = dict[str, Any]  # float32 arrays, keyed by name


class Network:
    """A network that computes the policy and the value of one position at a time."""

    def __init__(self, weights: Weights) -> None:
        self._layers = [(weights[f"w{layer}"], weights[f"b{layer}"]) for layer in range(len(weights) // 2 - 2)]
        # One matrix product for both heads.
        self._head = np.concatenate([weights["policy_w"], weights["value_w"]], axis=1)
        self._bias = np.concatenate([weights["policy_b"], weights["value_b"]])

    def __call__(self, own: int, other: int, moves: int, replies: int) -> tuple[list[float], float]:
        """Return, for the side to move, the logits of all squares and the expected result from -1 (loss) to 1 (win).

        ``moves`` and ``replies``: the legal moves of the side to move and of the other side.
        """
        seen = b"".join([squares.to_bytes(8, "little") for squares in (own, other, moves, replies)])
        layer = np.unpackbits(np.frombuffer(seen, np.uint8), bitorder="little").astype(np.float32)
        for weights, bias in self._layers:
            layer = layer @ weights
            layer += bias
            np.maximum(layer, 0.0, out=layer)
        *logits, value = (layer @ self._head + self._bias).tolist()
        return logits, max(-1.0, min(1.0, value))


@cache
def shipped_network() -> Network:
    """Load the network that is shipped with the bot; it is loaded only once."""
    with np.load(_WEIGHTS, allow_pickle=False) as kept:
        return Network({name: kept[name].astype(np.float32) for name in kept.files})
