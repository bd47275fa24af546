"""A game whose packages are not in this project: who lights most lanterns, and sees its own oil alone."""
