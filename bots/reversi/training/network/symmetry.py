"""The eight symmetries of the board, for data augmentation."""

from __future__ import annotations

from typing import Final

import jax
import jax.numpy as jnp
import numpy as np

_BOARD: Final = np.arange(64).reshape(8, 8)
_IMAGES: Final = [np.rot90(board, turns) for board in (_BOARD, _BOARD.T) for turns in range(4)]
# For each symmetry, the source square of each target square.
SYMMETRIES: Final = np.stack([image.reshape(64) for image in _IMAGES])


def mirrored(key: jax.Array, *planes: jax.Array) -> list[jax.Array]:
    """Apply a random symmetry to each position, the same one for all its planes.

    Each plane has shape (positions, 64 n).
    """
    count = planes[0].shape[0]
    places = jnp.asarray(SYMMETRIES)[jax.random.randint(key, (count,), 0, len(SYMMETRIES))]
    images = []
    for plane in planes:
        boards = plane.reshape(count, -1, 64)
        images.append(jnp.take_along_axis(boards, places[:, None, :], axis=-1).reshape(plane.shape))
    return images
