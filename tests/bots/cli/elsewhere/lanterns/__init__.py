"""Lanterns, a game outside this project: whoever lights the most lanterns wins, and sees only their own oil."""
