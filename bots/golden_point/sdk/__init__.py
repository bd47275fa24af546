"""What enters the jail of the golden point: the state, its adapter, and the dialect of the course's scripts."""

from __future__ import annotations

import os

from bots.golden_point.sdk.adapter import GoldenPointAdapter
from bots.golden_point.sdk.golden_lines import GoldenLines
from bots.sdk.game import GameSdk, register

_FOLDER = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - bots may poison pathlib

SDK = register(
    GameSdk(
        game="golden_point",
        folder=_FOLDER,
        adapter=GoldenPointAdapter,
        dialects={"golden-lines": GoldenLines},
        former_names={"bots.sdk.golden_state": "bots.golden_point.sdk.golden_state"},
    )
)
