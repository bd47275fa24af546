"""Analyses of golden-point games: best replies, regret, disturbers, strategies, what-if. Pure."""
