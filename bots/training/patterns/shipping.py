"""The learned weights as a module of the engine: text, because an upload holds nothing else."""

from __future__ import annotations

import base64
import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np

from bots.house.reversi import engine
from bots.house.reversi.engine.patterns import STEP

TARGET: Final = Path(engine.__file__).with_name("pattern_weights.py")
_LINE: Final = 119
_MODULE: Final = '''"""What patterns are worth, learned by bots.training.patterns; do not edit. See ``learned``."""

from typing import Final

# See ``probcut``: by parts of the game and depth, in hundredths of a disc.
SPREADS: Final[tuple[dict[int, int], ...]] = (
{spreads}
)

PACKED: Final = """
{lines}
"""
'''


def module(weights: Any, spreads: list[dict[int, int]]) -> str:
    """``weights``: float32 in hundredths of a disc, a row for each stage."""
    steps = np.clip(np.round(weights / STEP), -127, 127).astype(np.int8)
    packed = base64.b85encode(zlib.compress(steps.tobytes(), 9)).decode()
    return _MODULE.format(
        spreads="\n".join(f"    {one}," for one in spreads),
        lines="\n".join(packed[at : at + _LINE] for at in range(0, len(packed), _LINE)),
    )
