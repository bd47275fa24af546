"""House bots for Reversi."""
