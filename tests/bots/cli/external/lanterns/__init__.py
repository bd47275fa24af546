"""Lanterns, a game outside this project: the most lit lanterns win, and each player sees only their own oil."""
