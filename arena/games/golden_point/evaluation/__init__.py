"""Pure analyses of golden-point games: best replies, regret, disturbers, strategies, what-if."""
