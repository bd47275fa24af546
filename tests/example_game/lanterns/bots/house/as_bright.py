"""Lays the candle that is closest to the lantern's light.

If two candles are equally close, it lays the lower one.
"""

from typing import Any


def get_move(state: Any) -> Any:
    return min(state.hand, key=lambda candle: (abs(candle - state.lantern), candle))
