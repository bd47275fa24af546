"""The learned policy that pages use: the network of the strongest house bot, evaluated in batches.

The weights are read from the same file that the house bots use.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.games.bot_packages import bots_folder
from arena.games.suit_pairs.observation import SIZE
from arena.games.suit_pairs.rules import GAME
from arena.games.suit_pairs.stages import ACTIONS

LEVEL: Final = 5
Floats = NDArray[np.float32]
_ILLEGAL: Final = np.float32(-1e9)


class Network:
    """Fully connected layers with ReLU, followed by a policy head and a value head.

    ``weights``: arrays by name: ``w0`` and ``b0`` for the first layer, ``w1`` and ``b1`` for the next, and so on, then
    those of the heads. Raises ValueError if the arrays do not fit this network.
    """

    def __init__(self, weights: dict[str, Floats]) -> None:
        layers = sum(f"w{number}" in weights for number in range(len(weights)))
        try:
            self._hidden = [(weights[f"w{number}"], weights[f"b{number}"]) for number in range(layers)]
            self._policy = weights["policy_w"], weights["policy_b"]
            self._value = weights["value_w"], weights["value_b"]
            self.judge(np.zeros((1, SIZE), np.float32), np.ones((1, ACTIONS), bool))
        except (KeyError, ValueError, IndexError) as error:
            raise ValueError(f"These are not policy weights for Suit Pairs: {error}") from None

    def judge(self, observed: Floats, legal: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Return, for each observation, the probabilities of the 58 actions and the expected growth of the lead.

        The growth is in points. ``legal``: which actions are legal; all others get probability 0.
        """
        layer = observed
        for weight, bias in self._hidden:
            layer = np.maximum(layer @ weight + bias, 0)
        logits = np.where(legal, layer @ self._policy[0] + self._policy[1], _ILLEGAL)
        shares = np.exp(logits - logits.max(axis=1, keepdims=True)) * legal
        value = (layer @ self._value[0] + self._value[1]).reshape(len(observed))
        return shares / shares.sum(axis=1, keepdims=True), 10 * value  # rewards were points divided by 10


def weights_file() -> Path:
    """Return the path of the house bots' weights file."""
    return bots_folder(GAME.name) / "house" / "policy" / "weights.npz"


def shipped_network() -> Network | None:
    """Return the network of the highest level; None if this site has no weights."""
    path = weights_file()
    try:
        return _read(path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        return None


@lru_cache(maxsize=1)
def _read(path: Path, _changed: int) -> Network:
    """Read a network from its weights file. Raises OSError or ValueError."""
    prefix = f"level{LEVEL}/"
    with np.load(path, allow_pickle=False) as file:
        names = [name for name in file.files if name.startswith(prefix)]
        return Network({name.removeprefix(prefix): file[name].astype(np.float32) for name in names})
