"""The bots of Lanterns."""
