"""What explains a game of the golden point: best replies, regret, disturbers, strategies, and what might have been."""
