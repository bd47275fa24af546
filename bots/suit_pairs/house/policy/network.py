"""The policy-value network: 384 inputs, two hidden layers of 256 units, 58 actions and a value."""

from typing import Any

import numpy as np

ILLEGAL = -1e9


class Network:
    """One level's network."""

    def __init__(self, weights: dict[str, Any]) -> None:
        self._weights = weights

    def logits(self, vector: Any) -> tuple[Any, Any]:
        """Return the logits of the 58 actions and the value, for one vector or for rows of vectors."""
        own = self._weights
        layer = np.asarray(vector, dtype=np.float32)
        for number in range(2):
            layer = np.maximum(layer @ own[f"w{number}"] + own[f"b{number}"], 0)
        return layer @ own["policy_w"] + own["policy_b"], (layer @ own["value_w"] + own["value_b"])[..., 0]

    def judge(self, vector: Any, mask: Any) -> tuple[Any, float]:
        """Return the probability of each action (0 for illegal ones) and the value.

        The value is a tenth of the expected further change in the lead, in points.
        """
        logits, value = self.logits(vector)
        legal = np.where(mask, logits, ILLEGAL)
        shares = np.exp(legal - legal.max()) * np.asarray(mask)
        return shares / shares.sum(), float(value)
