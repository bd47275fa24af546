"""A player that chooses the most probable action of a level's network."""

from typing import Any

import numpy as np

from .network import ILLEGAL, Network
from .weights import weights_of


class PolicyPlayer:
    """A player that uses the network weights of ``level``."""

    level = 5

    def __init__(self) -> None:
        self._network = Network(weights_of(self.level))

    def get_move(self, state: Any) -> int:
        logits, _ = self._network.logits(state.vector)
        return int(np.argmax(np.where(state.mask, logits, ILLEGAL)))
