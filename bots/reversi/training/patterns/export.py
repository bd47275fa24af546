"""Write the learned weights as an engine module and a data file in the same folder."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np

from bots.reversi.house import engine
from bots.reversi.house.engine.patterns import STEP

TARGET: Final = Path(engine.__file__).with_name("pattern_weights.py")
_MODULE: Final = '''"""What patterns are worth, by bots.reversi.training.patterns; do not edit. See ``learned``."""

from pathlib import Path
from typing import Final

# See ``probcut``: by part of the match and depth, in hundredths of a disc.
SPREADS: Final[tuple[dict[int, int], ...]] = (
{spreads}
)

# Compressed by zlib: a signed byte for each pattern and stage.
WEIGHTS: Final = Path(__file__).with_suffix(".bin")
'''


def export_weights(weights: Any, spreads: list[dict[int, int]], target: Path = TARGET) -> None:
    """Write the module and its file of weights. ``weights``: float32 in hundredths of a disc, one row per stage."""
    steps = np.clip(np.round(weights / STEP), -127, 127).astype(np.int8)
    target.with_suffix(".bin").write_bytes(zlib.compress(steps.tobytes(), 9))
    target.write_text(_MODULE.format(spreads="\n".join(f"    {one}," for one in spreads)), encoding="utf-8")
