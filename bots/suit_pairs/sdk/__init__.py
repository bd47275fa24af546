"""The Suit Pairs package inside the jail: cards, actions, the state and its adapter."""

from __future__ import annotations

from bots.sdk.game import GameSdk, register
from bots.suit_pairs.sdk.adapter import SuitPairsAdapter

SDK = register(
    GameSdk(game="suit_pairs", file=__file__, adapter=SuitPairsAdapter, state="bots.suit_pairs.sdk.state:State")
)
