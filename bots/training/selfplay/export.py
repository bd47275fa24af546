"""Write a run's newest model as a bot that can be uploaded: ``bot.zip``, which needs only NumPy."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from bots.env.description import names
from bots.env.packing import pack_bot
from bots.training.selfplay.pool import Model
from bots.training.selfplay.run import MODELS, read_models

BOT: Final = "bot.zip"


def write_bot(game: str, folder: Path) -> Path | None:
    """Write a run's newest model as a bot; return the path of the bot's ZIP archive.

    Return None if there are no models, or if the game has no encoding for bots.
    """
    models = read_models(folder / MODELS)
    if not models or game not in names():
        return None
    target = folder / BOT
    with TemporaryDirectory() as kept:
        weights = Path(kept) / "weights.npz"
        np.savez_compressed(weights, allow_pickle=False, **_weights(models[max(models)]))
        pack_bot(game, weights, target)
    return target


def _weights(model: Model) -> dict[str, np.ndarray[Any, Any]]:
    """Return the weights under the names that ``bots/env/trained_bot.py`` expects.

    Layers are numbered from 1, with ReLU between them; the last one is the policy head.
    """
    hidden = sum(f"w{number}" in model for number in range(len(model)))
    found = {f"{part}{number + 1}": model[f"{part}{number}"] for number in range(hidden) for part in "wb"}
    last = {"w": model["policy_w"], "b": model["policy_b"]}
    found |= {f"{part}{hidden + 1}": value for part, value in last.items()}
    return {**{name: np.asarray(value, np.float32) for name, value in found.items()}, "rectified": np.array(True)}
