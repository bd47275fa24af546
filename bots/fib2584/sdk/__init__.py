"""The 2584 package inside the jail: the state and its adapter."""

from __future__ import annotations

from bots.fib2584.sdk.adapter import Fib2584Adapter
from bots.sdk.game import GameSdk, register

SDK = register(GameSdk(game="fib2584", file=__file__, adapter=Fib2584Adapter, state="bots.fib2584.sdk.state:State"))
