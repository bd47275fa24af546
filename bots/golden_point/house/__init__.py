"""House bots of the golden point."""
