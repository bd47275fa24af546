"""House bots of Reversi."""
