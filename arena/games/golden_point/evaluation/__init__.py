"""Pure analyses of golden-point matches: best replies, regret, disruptors, strategies, what-if."""
