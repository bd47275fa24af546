"""The eight symmetries of the board, to learn from each position as from any of its images."""

from __future__ import annotations

from typing import Final

import jax
import jax.numpy as jnp
import numpy as np

_BOARD: Final = np.arange(64).reshape(8, 8)
_IMAGES: Final = [np.rot90(board, turns) for board in (_BOARD, _BOARD.T) for turns in range(4)]
# By symmetry, the square that is seen at each place.
SYMMETRIES: Final = np.stack([image.reshape(64) for image in _IMAGES])


def mirrored(key: jax.Array, *planes: jax.Array) -> list[jax.Array]:
    """The same images of all planes, drawn for each position; each plane is (positions, 64 n)."""
    count = planes[0].shape[0]
    places = jnp.asarray(SYMMETRIES)[jax.random.randint(key, (count,), 0, len(SYMMETRIES))]
    images = []
    for plane in planes:
        boards = plane.reshape(count, -1, 64)
        images.append(jnp.take_along_axis(boards, places[:, None, :], axis=-1).reshape(plane.shape))
    return images
