"""Steps of the tutorial: complete bots, each a few lines longer than the one before."""
