"""Pure analyses of golden-point games: best replies, regret, disruptors, strategies, what-if."""
