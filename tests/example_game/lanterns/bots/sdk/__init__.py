"""Files that Lanterns bots get in the sandbox: the state and its adapter."""

from __future__ import annotations

from bots.sdk.game import GameSdk, register
from tests.example_game.lanterns.bots.sdk.adapter import LanternsAdapter

SDK = register(GameSdk(game="lanterns", file=__file__, adapter=LanternsAdapter))
