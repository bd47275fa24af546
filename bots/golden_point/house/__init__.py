"""House bots for the golden point."""
