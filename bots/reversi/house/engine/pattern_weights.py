"""Pattern weights learned by bots.reversi.training.patterns; do not edit. See ``learned``."""

from pathlib import Path
from typing import Final

# See ``probcut``: by part of the match and depth, in hundredths of a disc.
SPREADS: Final[tuple[dict[int, int], ...]] = (
    {3: 93, 4: 87, 5: 157, 6: 156, 7: 202, 8: 171},
    {3: 218, 4: 204, 5: 361, 6: 324, 7: 258, 8: 304},
    {3: 393, 4: 243, 5: 487, 6: 448, 7: 461, 8: 534},
)

# zlib-compressed: one signed byte for each weight of each stage.
WEIGHTS: Final = Path(__file__).with_suffix(".bin")
