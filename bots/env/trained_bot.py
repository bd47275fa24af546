"""A bot that plays with a trained network and needs only numpy.

This file becomes ``main.py`` in the archives that ``packing`` writes. These archives also contain ``weights.npz`` and
``encoding.py``, which defines the network's input and the meaning of its outputs.
"""

from pathlib import Path

import encoding
import numpy as np


class AIPlayer:
    def __init__(self, seat):
        self.seat = seat
        with np.load(Path(__file__).with_name("weights.npz"), allow_pickle=False) as arrays:
            self.weights = dict(arrays)

    def get_move(self, state):
        outputs = self.network(np.array(encoding.observation(state, self.seat), np.float32))
        if "low" in self.weights:  # the answer consists of numbers between two bounds
            low, high = self.weights["low"], self.weights["high"]
            return encoding.answer(low + (high - low) / (1 + np.exp(-outputs)))
        legal = np.array(encoding.mask(state, self.seat), bool)
        return encoding.answer(int(np.argmax(np.where(legal, outputs, -np.inf))))

    def network(self, hidden):
        """Evaluate the network: hidden layers, then a score for each action."""
        layer = 1
        while f"w{layer + 1}" in self.weights:
            hidden = self.activate(hidden @ self.weights[f"w{layer}"] + self.weights[f"b{layer}"])
            layer += 1
        return hidden @ self.weights[f"w{layer}"] + self.weights[f"b{layer}"]

    def activate(self, sums):
        return np.maximum(sums, 0) if "rectified" in self.weights else np.tanh(sums)
