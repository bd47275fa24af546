"""What enters the jail of Lanterns: the state and its adapter."""

from __future__ import annotations

import os

from bots.sdk.game import GameSdk, register
from tests.made_up.lanterns.bots.sdk.adapter import LanternsAdapter

_FOLDER = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - bots may poison pathlib

SDK = register(GameSdk(game="lanterns", folder=_FOLDER, adapter=LanternsAdapter))
