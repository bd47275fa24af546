"""House bots for Suit Pairs."""
