"""House bots of Lanterns."""
