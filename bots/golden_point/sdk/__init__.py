"""The golden-point package inside the jail: the state, its adapter, and the dialect of the course's scripts."""

from __future__ import annotations

from bots.golden_point.sdk.adapter import GoldenPointAdapter
from bots.golden_point.sdk.golden_lines import GoldenLines
from bots.sdk.game import GameSdk, register

SDK = register(
    GameSdk(
        game="golden_point",
        file=__file__,
        adapter=GoldenPointAdapter,
        state="bots.golden_point.sdk.golden_state:GoldenState",
        dialects={"golden-lines": GoldenLines},
        former_names={"bots.sdk.golden_state": "bots.golden_point.sdk.golden_state"},
    )
)
