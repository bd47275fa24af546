"""House bots of Suit Pairs."""
